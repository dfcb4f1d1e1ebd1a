import { expect, it } from 'vitest';
import { roles } from '#platform/shared/contract.ts';
import { entriesFor } from './entries-for.ts';
import { groupsFor } from './palette-groups.ts';

const places = [
  { label: 'Dashboard' },
  { label: 'Email Database', keywords: 'contacts audience' },
  { label: 'Suppressions' },
  { label: 'Import Data' },
  { label: 'Domain Suppressions' },
  { label: 'Team', keywords: 'people members' },
];
const actions = [
  { label: 'Add Email', keywords: 'new contact address' },
  { label: 'Clean the database', keywords: 'hygiene' },
  { label: 'Import a CSV', keywords: 'upload contacts' },
  { label: 'Suppress a domain', keywords: 'block' },
  { label: 'Invite people', keywords: 'add user' },
];
const ask = (typed: string, finds: { label: string }[] = []) =>
  groupsFor({ places, actions, finds }, typed).map(
    ({ label, entries }) => `${label}: ${entries.map((entry) => entry.label).join(', ')}`,
  );

it('lists all places before all things to do while nothing is typed', () => {
  expect(ask('').map((group) => group.split(':')[0])).toEqual(['Go to', 'Do']);
});

it.each([
  ['import', ['Go to: Import Data', 'Do: Import a CSV']],
  ['sup', ['Go to: Suppressions, Domain Suppressions', 'Do: Suppress a domain']],
  ['suppress a', ['Do: Suppress a domain', 'Go to: Domain Suppressions']],
  ['email', ['Go to: Email Database', 'Do: Add Email']],
  ['add', ['Do: Add Email, Invite people']],
  ['contact', ['Go to: Email Database', 'Do: Add Email, Import a CSV']],
  ['database', ['Go to: Email Database', 'Do: Clean the database']],
  ['clean', ['Do: Clean the database']],
  ['people', ['Do: Invite people', 'Go to: Team']],
  ['invite', ['Do: Invite people']],
])('for %j the best match comes first, and places before things to do', (typed, groups) => {
  expect(ask(typed)).toEqual(groups);
});

it('puts contacts after a screen of that name, and before what matches by other words alone', () => {
  const finds = [{ label: 'team@importers.co.uk' }];
  expect(ask('team', finds)).toEqual(['Go to: Team', 'Contacts: team@importers.co.uk']);
  expect(ask('block', [{ label: 'block@acme.co.uk' }])).toEqual([
    'Contacts: block@acme.co.uk',
    'Do: Suppress a domain',
  ]);
  expect(ask('jo@acme', [{ label: 'jo@acme.co.uk' }])).toEqual(['Contacts: jo@acme.co.uk']);
});

const icon = () => null;
const features = [
  {
    nav: [
      { label: 'Admin', to: '/admin', icon, section: 'End' as const, order: 1, adminOnly: true },
      { label: 'Dashboard', to: '/', icon, section: 'Overview' as const, order: 1 },
    ],
  },
  {
    commands: [
      { label: 'Invite people', icon, to: '/team', takes: 'admin' as const },
      { label: 'Add Email', icon, to: '/email-database', takes: 'editor' as const },
      { label: 'Bin', icon, to: '/bin', isPlace: true as const },
    ],
  },
] as unknown as Parameters<typeof entriesFor>[0];

it.each(roles)('names to a %s only what they may use, and Admin to the administrator alone', (role) => {
  for (const isAdmin of [true, false]) {
    const { screens, commands } = entriesFor(features, { isAdmin, role });
    expect(screens.map(({ label }) => label)).toEqual(isAdmin ? ['Admin', 'Dashboard'] : ['Dashboard']);
    const mayEdit = role !== 'viewer';
    const mayInvite = role === 'admin' || role === 'owner';
    expect(commands.map(({ label }) => label)).toEqual([
      ...(mayInvite ? ['Invite people'] : []),
      ...(mayEdit ? ['Add Email'] : []),
      'Bin',
    ]);
  }
});
