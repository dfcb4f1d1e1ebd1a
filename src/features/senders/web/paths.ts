export const domainsPath = '/sender-domains';
export const domainPath = '/sender-domains/$id';
