import {
  aside,
  button,
  head,
  heading,
  hero,
  type Look,
  lines,
  pair,
  paragraphs,
  sans,
  serif,
  ticket,
} from './blocks.ts';
import { type Preset, preset } from './preset.ts';

const navy: Look = {
  ground: '#f1efe9',
  accent: '#23393e',
  tint: '#f3ede2',
  ink: '#1e2426',
  dim: '#555b5d',
  headings: serif,
};
const rust: Look = { ...navy, ground: '#f6f1ec', accent: '#943c17', tint: '#fbefe7', headings: sans };
const pine: Look = { ...navy, ground: '#eff2ec', accent: '#2b5337', tint: '#eaf1e6' };

const why = 'You get this because you bought from {{company_name}} or asked for our emails.';

export const shopPresets: readonly Preset[] = [
  preset(
    {
      id: 'shop-new-arrivals',
      name: 'New Arrivals',
      kind: 'shop',
      category: 'promotional',
      description: 'What is new this season, with prices',
    },
    {
      look: navy,
      preheader: 'New for the season, and in the shop from today',
      why,
      blocks: [
        head(navy, 'plain'),
        hero(navy, {
          above: 'NEW THIS SEASON',
          heading: 'The autumn shelf is full',
          text: 'Made in small batches by people we know. When they are gone, they are gone.',
          button: ['See everything new', '{{shop_link}}'],
          tone: 'strong',
        }),
        pair(
          navy,
          { title: 'Stoneware mug', text: 'Salt glaze, holds 350 ml. Fits the dishwasher.', note: '£18' },
          { title: 'Oak bread board', text: 'One piece of Scottish oak, oiled by hand.', note: '£42' },
        ),
        pair(
          navy,
          { title: 'Wool throw', text: 'Woven in Yorkshire. Warm without the weight.', note: '£95' },
          { title: 'Linen apron', text: 'Washed soft, with a pocket that is deep enough.', note: '£36' },
        ),
        aside(navy, 'UK delivery is free for orders over £50. You have 30 days to send things back.'),
      ],
    },
  ),
  preset(
    {
      id: 'shop-abandoned-basket',
      name: 'Forgotten Basket',
      kind: 'shop',
      category: 'abandoned_cart',
      description: 'A friendly reminder of what was left behind',
    },
    {
      look: rust,
      preheader: 'Your basket is still here',
      why: 'You get this because you left something in your basket at {{company_name}}.',
      blocks: [
        head(rust),
        hero(rust, {
          heading: 'Still thinking it over?',
          text: 'We have kept your basket, {{ first_name | default: "just in case" }}. It takes one press to go on where you stopped.',
          button: ['Back to my basket', '{{cta_link}}'],
        }),
        heading(rust, 'Good to know'),
        lines(
          rust,
          ['Post', 'Sent within a day', 'Order before 3 pm and it leaves us today.'],
          ['Returns', '30 days to decide', 'Send it back in the box it came in.'],
          ['Help', 'Ask a person', 'Reply to this email and we answer the same day.'],
        ),
      ],
    },
  ),
  preset(
    {
      id: 'shop-last-posting-dates',
      name: 'Last Posting Dates',
      kind: 'shop',
      category: 'transactional',
      description: 'When to order so that it arrives before Christmas',
    },
    {
      look: pine,
      preheader: 'Order by these days and it arrives in time',
      why,
      blocks: [
        head(pine),
        hero(pine, {
          above: 'DELIVERY BEFORE CHRISTMAS',
          heading: 'Order by these days',
          text: 'Then we can promise that it arrives in time.',
        }),
        lines(
          pine,
          ['14 Dec', 'Northern Ireland and the islands', 'Standard delivery, three to five working days.'],
          ['18 Dec', 'Royal Mail Second Class', 'Free for orders over £50.'],
          ['20 Dec', 'Royal Mail First Class', '£3.95.'],
          ['22 Dec', 'Next working day', '£6.95, if you order before noon.'],
          ['24 Dec', 'Collect from the shop', 'Open until 4 pm.'],
        ),
        button(pine, 'Start shopping', '{{shop_link}}'),
      ],
    },
  ),
  preset(
    {
      id: 'shop-birthday',
      name: 'Birthday Treat',
      kind: 'shop',
      category: 'promotional',
      description: 'A present with a code, once a year',
    },
    {
      look: rust,
      preheader: 'A small present from all of us',
      why,
      blocks: [
        head(rust, 'plain'),
        hero(rust, {
          heading: 'Happy birthday, {{ first_name | default: "friend" }}',
          text: 'Thank you for another year with us. The next treat is on the house.',
          tone: 'strong',
        }),
        ticket(rust, 'Your present', '{{coupon_code}}', 'Yours to use until {{end_date}}'),
        paragraphs(rust, 'Give the code at the checkout or show this email at the till.'),
        button(rust, 'Choose something', '{{shop_link}}'),
      ],
    },
  ),
];
