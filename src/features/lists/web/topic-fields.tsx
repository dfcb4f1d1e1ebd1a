import { Switch, TextInput } from '@mantine/core';
import { longestListName, longestPublicDescription } from '../contract.ts';
import classes from './lists-page.module.css';

interface TopicValues {
  name: string;
  isPublic: boolean;
  publicName: string;
  publicDescription: string;
}

interface TopicFieldsProps {
  values: TopicValues;
  onChange: (patch: Partial<TopicValues>) => void;
}

/** Whether readers can choose the list as a topic, and what they see of it. */
export const TopicFields = ({ values, onChange }: TopicFieldsProps) => (
  <>
    <Switch
      label="Public topic"
      description="Readers can join and leave it on the preference page of your emails."
      classNames={{ description: classes.hint ?? '' }}
      checked={values.isPublic}
      onChange={({ currentTarget: { checked: isPublic } }) => onChange({ isPublic })}
    />
    {values.isPublic && (
      <>
        <TextInput
          label="Name for readers (optional)"
          placeholder={values.name || 'Offers and news'}
          maxLength={longestListName}
          autoComplete="off"
          value={values.publicName}
          onChange={({ currentTarget: { value: publicName } }) => onChange({ publicName })}
        />
        <TextInput
          label="Description for readers (optional)"
          placeholder="Twice a month: what is new in the shop"
          maxLength={longestPublicDescription}
          autoComplete="off"
          value={values.publicDescription}
          onChange={({ currentTarget: { value: publicDescription } }) => onChange({ publicDescription })}
        />
      </>
    )}
  </>
);
