import { Radio, Stack } from '@mantine/core';
import { formatCount } from '#platform/web/format.ts';
import type { Member } from '../contract.ts';
import classes from './team-page.module.css';

interface KeysChoiceProps<Choice extends string> {
  member: Member;
  /** What happens to the keys if nobody takes them over. */
  otherwise: { value: Choice; label: string; description: string };
  value: Choice | 'take_over';
  onChange: (value: Choice | 'take_over') => void;
}

/** What is to become of the API keys that act for a member. Nothing when there are none. */
export function KeysChoice<Choice extends string>(props: KeysChoiceProps<Choice>) {
  const { member, otherwise, value, onChange } = props;
  if (member.apiKeys === 0) return null;
  const keys = formatCount(member.apiKeys, 'API key');
  return (
    <Radio.Group
      label={`${keys} ${member.apiKeys === 1 ? 'acts' : 'act'} for ${member.name}`}
      value={value}
      onChange={(chosen) => onChange(chosen as Choice | 'take_over')}
    >
      <Stack gap={10} mt={8}>
        <Radio
          classNames={{ description: classes.meaning }}
          value={otherwise.value}
          label={otherwise.label}
          description={otherwise.description}
        />
        <Radio
          classNames={{ description: classes.meaning }}
          value="take_over"
          label="Take over"
          description={`Programs go on, and what they may do is up to your role. ${member.name} may still know ${
            member.apiKeys === 1 ? 'the key' : 'the keys'
          }.`}
        />
      </Stack>
    </Radio.Group>
  );
}
