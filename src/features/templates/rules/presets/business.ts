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
  quote,
  sans,
  ticket,
} from './blocks.ts';
import { type Preset, preset } from './preset.ts';

const steel: Look = {
  ground: '#eef1f3',
  accent: '#12436b',
  tint: '#e9f1f8',
  ink: '#19222b',
  dim: '#4f5b66',
  headings: sans,
};
const slate: Look = { ...steel, accent: '#2f3b45', tint: '#eef1f3', ground: '#f2f3f4' };
const teal: Look = { ...steel, accent: '#0b5f5a', tint: '#e4f3f1', ground: '#edf2f1' };

const why = 'You get this at work because {{company_name}} supplies or advises your firm.';

export const businessPresets: readonly Preset[] = [
  preset(
    {
      id: 'business-trade-list',
      name: 'Trade Price List',
      kind: 'business',
      category: 'promotional',
      description: 'New lines, prices and carriage for the trade',
    },
    {
      look: steel,
      preheader: 'New lines, and carriage paid over £250',
      why,
      blocks: [
        head(steel),
        hero(steel, {
          above: 'TRADE LIST',
          heading: 'The autumn list is out',
          text: '148 new lines. Carriage paid on orders over £250.',
          button: ['See the trade list', '{{cta_link}}'],
        }),
        heading(steel, 'New, and asked for most'),
        lines(
          steel,
          ['£18.40', 'Serving bowl, 24 cm', 'Six to a case. RRP £39.'],
          ['£14.75', 'Jug, 1.2 litre', 'Six to a case. RRP £32.'],
          ['£6.20', 'Beaker, 350 ml', 'Twelve to a case. RRP £14.'],
        ),
        aside(steel, 'Prices without VAT, valid until {{end_date}}. Errors and omissions excepted.'),
      ],
    },
  ),
  preset(
    {
      id: 'business-webinar',
      name: 'Webinar Invitation',
      kind: 'business',
      category: 'promotional',
      description: 'Forty minutes, a speaker and a place to register',
    },
    {
      look: teal,
      preheader: 'Forty minutes, and your questions',
      why,
      blocks: [
        head(teal, 'plain'),
        hero(teal, {
          above: 'FREE WEBINAR',
          heading: 'Making Tax Digital without the panic',
          text: 'What changes, what to buy and what you can leave as it is.',
          button: ['Save my place', '{{cta_link}}'],
          tone: 'strong',
        }),
        ticket(teal, 'Online', 'Wednesday 12 November', '11 am to 11.40 am, UK time'),
        heading(teal, 'What you take away'),
        lines(
          teal,
          ['1', 'The dates that count', 'Who has to do what, and by when.'],
          ['2', 'A list for your accountant', 'Ten questions that save you a meeting.'],
          ['3', 'The recording', 'For everybody who registers, also if you cannot come.'],
        ),
      ],
    },
  ),
  preset(
    {
      id: 'business-case-study',
      name: 'Customer Story',
      kind: 'business',
      category: 'newsletter',
      description: 'How one customer did it, with their numbers',
    },
    {
      look: slate,
      preheader: 'How a firm of twelve halved its paperwork',
      why,
      blocks: [
        head(slate),
        hero(slate, {
          above: 'CUSTOMER STORY',
          heading: 'How a firm of twelve halved its paperwork',
        }),
        paragraphs(
          slate,
          'Hello {{ first_name | default: "there" }},',
          'Millbank Tools used to keep job sheets in three folders and one head. When that head went on holiday, nobody could invoice. This is what they changed, in the order in which they did it.',
        ),
        pair(
          slate,
          { title: 'Before', text: 'Invoices went out 19 days after the work was done.' },
          { title: 'After', text: 'They go out on the same day, from the van.' },
        ),
        quote(slate, 'I take Fridays off again. That was not in the quotation.', 'Tom Reed, Millbank Tools'),
        button(slate, 'Read the story', '{{cta_link}}'),
      ],
    },
  ),
  preset(
    {
      id: 'business-price-change',
      name: 'Notice of New Prices',
      kind: 'business',
      category: 'transactional',
      description: 'Tells customers fairly what changes, when and why',
    },
    {
      look: slate,
      preheader: 'What changes on 1 January, and what stays',
      why: 'You get this because you have an account with {{company_name}}.',
      blocks: [
        head(slate, 'plain'),
        hero(slate, { heading: 'Our prices from 1 January' }),
        paragraphs(
          slate,
          'Dear {{ first_name | default: "customer" }},',
          'Energy and carriage cost us more than a year ago. We have carried what we could. From 1 January our prices rise by 3.8% on average. Orders placed before then keep today’s price.',
        ),
        heading(slate, 'What stays'),
        lines(
          slate,
          ['Terms', '30 days, as before', 'Your credit limit does not change.'],
          ['Carriage', 'Paid over £250', 'The same for all of England, Wales and mainland Scotland.'],
          ['Contact', 'The same people', 'Reply to this email to reach yours.'],
        ),
        button(slate, 'See the new list', '{{cta_link}}'),
      ],
    },
  ),
];
