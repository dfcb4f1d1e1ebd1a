/** What stands in a preset until somebody uses it, so that people see an email and no brackets. */
const samples: Readonly<Record<string, string>> = {
  company_name: 'Harbour &amp; Pine',
  company_address: '14 Quay Street, Whitby YO21 1BA',
  subject: 'News from the workshop',
  main_content:
    'The kiln has been on all month, and the shelves show it. Come and see the new glazes, or look at them here first.',
  cta_text: 'See what is new',
  first_name: 'Priya',
  sale_percentage: '25',
  sale_title: 'The winter sale begins',
  sale_description: 'Everything with a blue tag, in the shop and online.',
  coupon_code: 'WINTER25',
  end_date: '31 January',
};

/** A preset with sample values. Links lead nowhere. */
export const withSamples = (content: string): string =>
  content.replaceAll(/\{\{\s*(\w+)[^}]*\}\}/g, (_, name: string) => samples[name] ?? '#');
