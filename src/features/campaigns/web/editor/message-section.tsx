import { Button, SegmentedControl, Select, Textarea } from '@mantine/core';
import { IconTemplate } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getBrand } from '#features/templates/contract.ts';
import { EmailEditor } from '#features/templates/web/index.ts';
import { queryOptionsFor } from '#platform/web/api.ts';
import { Card } from '#platform/web/components/card.tsx';
import type { WrittenTemplate } from '../../rules/campaign.ts';
import { documentOf } from '../../rules/document-of.ts';
import { templateOptions } from '../campaign-words.ts';
import { type Draft, designed, withPreheader } from './draft.ts';
import classes from './editor.module.css';
import { TemplateDialog } from './template-dialog.tsx';

interface Props {
  draft: Draft;
  onChange: (patch: Partial<Draft>) => void;
}

/** What the message says: words in a ready layout, or a design of its own. */
export function MessageSection({ draft, onChange }: Props) {
  const { name, writing, words, design, preheader, textContent } = draft;
  const { data: brand } = useQuery(queryOptionsFor(getBrand));
  const [asks, setAsks] = useState(false);
  const write = (as: Draft['writing']) => {
    if (as === 'words' || design) return onChange({ writing: as });
    const document = documentOf(words.content, brand?.brand ?? {});
    onChange({ writing: as, design: withPreheader({ mode: 'visual', document }, preheader) });
  };
  const ways = (
    <>
      <SegmentedControl
        size="xs"
        aria-label="How the message is written"
        data={[
          { value: 'words', label: 'Words in a layout' },
          { value: 'design', label: 'Own design' },
        ]}
        value={writing}
        onChange={(as) => write(as as Draft['writing'])}
      />
      <Button
        size="xs"
        variant="default"
        leftSection={<IconTemplate size={16} stroke={1.6} />}
        onClick={() => setAsks(true)}
      >
        Begin with a template
      </Button>
    </>
  );
  return (
    <section className={classes.message} aria-label="Message">
      {writing === 'design' && design ? (
        <EmailEditor
          lead={ways}
          name={name}
          content={design}
          textContent={textContent}
          onChange={({ content, ...text }) =>
            onChange({ ...(content ? designed(draft, content) : {}), ...text })
          }
        />
      ) : (
        <>
          <div className={classes.ways}>{ways}</div>
          <Words words={words} onChange={(changed) => onChange({ words: changed })} />
        </>
      )}
      {asks && <TemplateDialog draft={draft} onChange={onChange} onClose={() => setAsks(false)} />}
    </section>
  );
}

interface WordsProps {
  words: Draft['words'];
  onChange: (words: Draft['words']) => void;
}

const Words = ({ words, onChange }: WordsProps) => (
  <Card title="Message">
    <div className={classes.stack}>
      <Select
        label="Template"
        data={templateOptions}
        value={words.template}
        allowDeselect={false}
        onChange={(value) => onChange({ ...words, template: value as WrittenTemplate })}
      />
      <Textarea
        label="Content"
        placeholder={'Dear {{ first_name | default: "friend" }}, …'}
        description="Plain text or HTML. Who writes and how to leave is added at the end."
        autosize
        minRows={12}
        maxRows={40}
        value={words.content}
        onChange={({ currentTarget: { value } }) => onChange({ ...words, content: value })}
      />
    </div>
  </Card>
);
