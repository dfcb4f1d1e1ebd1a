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
  serif,
} from './blocks.ts';
import { type Preset, preset } from './preset.ts';

const berry: Look = {
  ground: '#f4f1f6',
  accent: '#5b2a86',
  tint: '#f3edf9',
  ink: '#221d27',
  dim: '#5a5461',
  headings: sans,
};
const moss: Look = { ...berry, ground: '#f1f2ea', accent: '#4a5a1c', tint: '#f1f4e2', headings: serif };

const why = 'You get this because you support {{company_name}}.';

export const charityPresets: readonly Preset[] = [
  preset(
    {
      id: 'charity-appeal',
      name: 'Appeal with Gift Aid',
      kind: 'charity',
      category: 'promotional',
      description: 'One story, what each gift does, and the Gift Aid line',
    },
    {
      look: berry,
      preheader: 'What £10 does this winter',
      why,
      blocks: [
        head(berry),
        hero(berry, {
          above: 'WINTER APPEAL',
          heading: 'Nobody should be cold at home',
          text: 'Last winter you helped 412 families in our county. This year more are asking.',
          button: ['Give today', '{{cta_link}}'],
          tone: 'strong',
        }),
        quote(
          berry,
          'We could heat one room again. The children did their homework there, and we ate there.',
          'A mother of three. We have changed her name.',
        ),
        heading(berry, 'What your gift does'),
        lines(
          berry,
          ['£10', 'A warm meal and a visit', 'For somebody who lives alone.'],
          ['£25', 'A week of heating', 'Paid to the meter, on the same day.'],
          ['£60', 'A room that stays warm', 'Draught strips, thick curtains and the fitting.'],
        ),
        aside(
          berry,
          'With Gift Aid we get 25p more from HMRC for every £1 you give, at no cost to you. You need to pay as much UK tax as we claim.',
        ),
      ],
    },
  ),
  preset(
    {
      id: 'charity-impact',
      name: 'What You Made Possible',
      kind: 'charity',
      category: 'newsletter',
      description: 'Thanks supporters and shows what their help did',
    },
    {
      look: moss,
      preheader: 'This is what your help did this year',
      why,
      blocks: [
        head(moss, 'plain'),
        hero(moss, {
          heading: 'Thank you, {{ first_name | default: "dear friend" }}',
          text: 'A year of your help, in four numbers.',
        }),
        pair(
          moss,
          { title: '3,200 trees', text: 'Planted along the river by 140 volunteers.' },
          { title: '11 schools', text: 'Every class came outdoors at least once.' },
        ),
        pair(
          moss,
          { title: '6 miles of path', text: 'Open to wheels and walking frames again.' },
          { title: '91p of each £1', text: 'Went into the work itself. The rest keeps the lights on.' },
        ),
        paragraphs(
          moss,
          'None of it would be there without you. The full report has the accounts and more pictures.',
        ),
        button(moss, 'Read the report', '{{cta_link}}'),
      ],
    },
  ),
];
