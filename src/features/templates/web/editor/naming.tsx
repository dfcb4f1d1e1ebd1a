import { Select, TextInput } from '@mantine/core';
import { longestTemplateName } from '../../contract.ts';
import { categoryLabels, type TemplateCategory, templateCategories } from '../../rules/categories.ts';
import type { Draft } from './content.ts';
import classes from './editor.module.css';

interface NamingProps {
  draft: Draft;
  onChange: (patch: Partial<Draft>) => void;
}

/** What a template is called and what it is for. */
export const Naming = ({ draft, onChange }: NamingProps) => (
  <div className={classes.naming}>
    <TextInput
      label="Template Name"
      placeholder="Autumn news"
      maxLength={longestTemplateName}
      autoComplete="off"
      value={draft.name}
      onChange={({ currentTarget: { value: name } }) => onChange({ name })}
    />
    <Select
      label="Category"
      allowDeselect={false}
      data={templateCategories.map((value) => ({ value, label: categoryLabels[value] }))}
      value={draft.category}
      onChange={(category) => onChange({ category: (category ?? 'custom') as TemplateCategory })}
    />
    <TextInput
      label="Description (optional)"
      placeholder="What it is for"
      autoComplete="off"
      value={draft.description}
      onChange={({ currentTarget: { value: description } }) => onChange({ description })}
    />
  </div>
);
