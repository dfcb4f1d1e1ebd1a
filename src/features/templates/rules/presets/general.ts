import { aside, button, head, heading, hero, type Look, lines, paragraphs, sans, ticket } from './blocks.ts';
import { type Preset, preset } from './preset.ts';

const lagoon: Look = {
  ground: '#eef2f4',
  accent: '#0c5870',
  tint: '#e6f1f5',
  ink: '#1b2327',
  dim: '#4f5b63',
  headings: sans,
};
const plum: Look = { ...lagoon, ground: '#f5f0f3', accent: '#8a1c4a', tint: '#fbeef3' };
const leaf: Look = { ...lagoon, ground: '#eff3ee', accent: '#23613d', tint: '#e9f3ec' };

const why = 'You get this because you signed up for emails from {{company_name}}.';

/** The three that the product has always had. */
export const generalPresets: readonly Preset[] = [
  preset(
    {
      id: 'newsletter-basic',
      name: 'Basic Newsletter',
      kind: 'everybody',
      category: 'newsletter',
      description: 'Clean and simple: a heading, your words and one button',
    },
    {
      look: lagoon,
      preheader: 'News from {{company_name}}',
      why,
      blocks: [
        head(lagoon),
        hero(lagoon, { heading: '{{subject}}' }),
        paragraphs(lagoon, 'Hello {{ first_name | default: "there" }},', '{{main_content}}'),
        button(lagoon, '{{cta_text}}', '{{cta_link}}'),
      ],
    },
  ),
  preset(
    {
      id: 'promotional-sale',
      name: 'Sale Announcement',
      kind: 'everybody',
      category: 'promotional',
      description: 'A percentage off, a code and the day it ends',
    },
    {
      look: plum,
      preheader: '{{sale_percentage}}% off until {{end_date}}',
      why,
      blocks: [
        head(plum, 'plain'),
        hero(plum, {
          above: '{{sale_percentage}}% OFF',
          heading: '{{sale_title}}',
          text: '{{sale_description}}',
          button: ['Shop the sale', '{{shop_link}}'],
          tone: 'strong',
        }),
        ticket(plum, 'Use this code at the checkout', '{{coupon_code}}', 'Ends on {{end_date}}'),
        aside(plum, 'One code for each order. It does not add to other offers.'),
      ],
    },
  ),
  preset(
    {
      id: 'welcome-series',
      name: 'Welcome Email',
      kind: 'everybody',
      category: 'welcome',
      description: 'Greets a new subscriber and says what to do first',
    },
    {
      look: leaf,
      preheader: 'Good to have you with us',
      why,
      blocks: [
        head(leaf),
        hero(leaf, {
          heading: 'Welcome, {{ first_name | default: "and thank you" }}',
          text: 'Good to have you with us. This is what you can expect from {{company_name}}.',
        }),
        heading(leaf, 'Three things to begin with'),
        lines(
          leaf,
          ['1', 'Look around', 'See what we do and find what suits you.'],
          ['2', 'Tell us what you like', 'Choose what you hear about, and how often.'],
          ['3', 'Say hello', 'Reply to this email. A person reads it.'],
        ),
        button(leaf, 'Get started', '{{get_started_link}}'),
      ],
    },
  ),
];
