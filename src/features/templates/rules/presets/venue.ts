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
} from './blocks.ts';
import { type Preset, preset } from './preset.ts';

const night: Look = {
  ground: '#ecebf0',
  accent: '#2b2350',
  tint: '#edebf6',
  ink: '#1f1c2b',
  dim: '#555165',
  headings: sans,
};
const claret: Look = { ...night, ground: '#f4efea', accent: '#6f2232', tint: '#f8efe6', headings: serif };

export const venuePresets: readonly Preset[] = [
  preset(
    {
      id: 'venue-whats-on',
      name: 'What’s On',
      kind: 'venue',
      category: 'newsletter',
      description: 'The evenings of a month, for theatres, halls and pubs',
    },
    {
      look: night,
      preheader: 'Four evenings worth leaving the sofa for',
      why: 'You get this because you asked {{company_name}} for news of events.',
      blocks: [
        head(night),
        hero(night, {
          above: 'WHAT’S ON IN NOVEMBER',
          heading: 'Four evenings worth leaving the sofa for',
          button: ['Book tickets', '{{cta_link}}'],
          tone: 'strong',
        }),
        lines(
          night,
          ['Fri 7', 'The Harbour Quartet', 'Folk with a cello. 7.30 pm, £14, under 26s £8.'],
          ['Sat 15', 'Comedy in the Cellar', 'Five comedians and one host. 8 pm, £12.'],
          ['Thu 20', 'Film: The Third Man', 'The restored print, with an introduction. 7 pm, £9.'],
          ['Sat 29', 'Ceilidh', 'A caller, a band and a bar. No experience needed. 7 pm, £10.'],
        ),
        aside(night, 'Step-free throughout. The hearing loop works in rows A to M. Carers come free.'),
      ],
    },
  ),
  preset(
    {
      id: 'venue-seasonal-menu',
      name: 'Seasonal Menu',
      kind: 'venue',
      category: 'promotional',
      description: 'A new menu and a table to book, for restaurants and pubs',
    },
    {
      look: claret,
      preheader: 'The new menu begins on Thursday',
      why: 'You get this because you have eaten at {{company_name}} or asked for our emails.',
      blocks: [
        head(claret, 'plain'),
        hero(claret, {
          heading: 'The winter menu',
          text: 'From Thursday. Most of it grew or grazed within thirty miles.',
        }),
        lines(
          claret,
          ['£8', 'Celeriac soup', 'Brown butter, hazelnuts, soda bread. Can be made vegan.'],
          ['£19', 'Slow-cooked shoulder of lamb', 'Barley, kale, redcurrants.'],
          ['£17', 'Mushroom and chestnut pie', 'Suet crust, mash, the gravy you remember.'],
          ['£7', 'Sticky toffee pudding', 'With clotted cream. No apologies.'],
        ),
        paragraphs(
          claret,
          'Sundays fill up first. Tell us about allergies when you book, and we cook around them.',
        ),
        button(claret, 'Book a table', '{{cta_link}}'),
      ],
    },
  ),
  preset(
    {
      id: 'venue-membership-renewal',
      name: 'Membership Renewal',
      kind: 'venue',
      category: 'transactional',
      description: 'Asks members of a club, gym or museum to stay',
    },
    {
      look: night,
      preheader: 'Your membership ends on {{end_date}}',
      why: 'You get this because you are a member of {{company_name}}.',
      blocks: [
        head(night, 'plain'),
        hero(night, {
          heading: 'Stay for another year?',
          text: 'Hello {{ first_name | default: "there" }}, your membership ends on {{end_date}}. Nothing renews by itself.',
          button: ['Renew my membership', '{{cta_link}}'],
        }),
        heading(night, 'What you keep'),
        pair(
          night,
          { title: 'Come as often as you like', text: 'With a guest on every first Sunday.' },
          { title: '10% off', text: 'In the café, the shop and for all courses.' },
        ),
        aside(night, 'You would rather leave? You need not do anything. We delete your card after 30 days.'),
      ],
    },
  ),
];
