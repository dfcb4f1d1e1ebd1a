/** What stands for the values of a contact and of a message where nobody has given any yet. */
export const sampleValues: Readonly<Record<string, string>> = {
  first_name: 'Priya',
  last_name: 'Shah',
  name: 'Priya Shah',
  email: 'priya.shah@example.co.uk',
  domain: 'example.co.uk',
  company_name: 'Harbour & Pine',
  company_address: '14 Quay Street, Whitby YO21 1BA',
  subject: 'News from the workshop',
  main_content:
    'The kiln has been on all month, and the shelves show it. Come and see the new glazes, or look at them here first.',
  cta_text: 'See what is new',
  sale_percentage: '25',
  sale_title: 'The winter sale begins',
  sale_description: 'Everything with a blue tag, in the shop and online.',
  coupon_code: 'WINTER25',
  end_date: '31 January',
  // Links lead nowhere.
  cta_link: '#',
  shop_link: '#',
  get_started_link: '#',
  unsubscribe_link: '#',
  preferences_link: '#',
  view_in_browser_link: '#',
};

/** What a message says of its sender, and a sample stands for while the settings do not say it. */
export const sampledFields = ['company_name', 'company_address'] as const;
export type SampledField = (typeof sampledFields)[number];
