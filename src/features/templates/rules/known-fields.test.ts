import { expect, it } from 'vitest';
import { compileTemplate, fill } from './compile.ts';
import { fieldNameOf, knownFields, mergeDataOf } from './known-fields.ts';

const contact = {
  address: 'ann@example.org',
  domain: 'example.org',
  name: 'Ann Lee',
  firstName: 'Ann',
  lastName: ' ',
  source: null,
  date: null,
  attributes: {
    'Company size': '12',
    Blank: ' ',
    'First name': 'Other',
    Last_Name: 'Hidden',
    'Größe (cm)': '170',
  },
};

it.each([
  ['Company size', 'company_size'],
  ['  Größe (cm) ', 'größe_cm'],
  ['PHONE', 'phone'],
  ['***', ''],
])('the extra field %j is called %j', (name, expected) => {
  expect(fieldNameOf(name)).toBe(expected);
});

it('an extra field is a field of its own, unless all contacts have one of that name', () => {
  const text =
    '{{ company_size }}|{{ größe_cm }}|{{ first_name }}|{{ attributes["First name"] }}|{{ last_name | default: "-" }}|{{ blank | default: "-" }}|{{ email }}|{{ company_name }}';
  const template = compileTemplate(
    { subject: '', preheader: '', html: '', text },
    knownFields(Object.keys(contact.attributes)),
  );
  expect(template.problems).toEqual([]);
  expect(template.fields.filter(({ isKnown }) => !isKnown)).toEqual([]);
  expect(fill(template, mergeDataOf(contact, { company_name: 'Tea Ltd' })).text).toBe(
    '12|170|Ann|Other|-|-|ann@example.org|Tea Ltd',
  );
});

it('what the sender gives cannot be taken over by an extra field', () => {
  const data = mergeDataOf(
    { ...contact, attributes: { 'Unsubscribe link': 'https://evil.example' } },
    { unsubscribe_link: 'https://a.example' },
  );
  expect(data.unsubscribe_link).toBe('https://a.example');
});
