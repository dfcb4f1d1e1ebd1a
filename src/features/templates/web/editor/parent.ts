export const parent = { label: 'Email Templates', to: '/templates' };
