import { aside, button, head, heading, hero, type Look, lines, paragraphs, sans, ticket } from './blocks.ts';
import { type Preset, preset } from './preset.ts';

const royal: Look = {
  ground: '#eef1f7',
  accent: '#1d3f8f',
  tint: '#eaf0fb',
  ink: '#1c2230',
  dim: '#515a6c',
  headings: sans,
};
const wine: Look = { ...royal, ground: '#f5f0f0', accent: '#7c1f2d', tint: '#faeeee' };

export const schoolPresets: readonly Preset[] = [
  preset(
    {
      id: 'school-newsletter',
      name: 'School Newsletter',
      kind: 'school',
      category: 'newsletter',
      description: 'News for parents and carers, with the dates of the term',
    },
    {
      look: royal,
      preheader: 'News and dates for parents and carers',
      why: 'You get this because your child goes to {{company_name}}.',
      blocks: [
        head(royal),
        hero(royal, { above: 'NEWS FOR PARENTS AND CARERS', heading: 'The weeks before half-term' }),
        paragraphs(
          royal,
          'Dear {{ first_name | default: "parents and carers" }},',
          'What a start to the term. Year 4 took part in the county science day and came home with second place. The new climbing frame is open, and the library has longer hours on Thursdays.',
        ),
        heading(royal, 'Dates'),
        lines(
          royal,
          ['6 Oct', 'Flu vaccination', 'Reception to Year 6. Please send the form by 29 September.'],
          ['15 Oct', 'Parents’ evening', 'Book a time of ten minutes with the class teacher.'],
          ['24 Oct', 'Last day before half-term', 'School ends at 2 pm. No after-school club.'],
          ['3 Nov', 'Back to school', 'Doors open at 8.40 am.'],
        ),
        button(royal, 'Book a time', '{{cta_link}}'),
        aside(royal, 'Is a day or a number wrong? Please tell the office.'),
      ],
    },
  ),
  preset(
    {
      id: 'school-open-day',
      name: 'Open Day Invitation',
      kind: 'school',
      category: 'promotional',
      description: 'Invites families to look round and says how the day goes',
    },
    {
      look: wine,
      preheader: 'Come and see us on a normal school day',
      why: 'You get this because you asked {{company_name}} about a place.',
      blocks: [
        head(wine, 'plain'),
        hero(wine, {
          above: 'OPEN DAY',
          heading: 'Come and see us at work',
          text: 'Walk through lessons, meet the teachers and ask our pupils what it is really like.',
          button: ['Reserve a place', '{{cta_link}}'],
          tone: 'strong',
        }),
        ticket(wine, 'Open day', 'Saturday 11 October', '9.30 am to 12.30 pm'),
        heading(wine, 'The morning'),
        lines(
          wine,
          ['9.30', 'Welcome in the hall', 'The head teacher speaks for ten minutes.'],
          ['10.00', 'Tours', 'In small groups, led by pupils of Year 10.'],
          ['11.30', 'Questions', 'Admissions, transport, bursaries and special needs.'],
        ),
        aside(
          wine,
          'There is parking in the yard and a level way in. Tell us what you need and we prepare it.',
        ),
      ],
    },
  ),
];
