import { ActionIcon, Button, ColorSwatch, Popover, TextInput } from '@mantine/core';
import {
  IconAlignCenter,
  IconAlignLeft,
  IconAlignRight,
  IconBold,
  IconBraces,
  IconItalic,
  IconLink,
  IconList,
  IconListNumbers,
  IconUnderline,
} from '@tabler/icons-react';
import { type Editor as Tiptap, useEditorState } from '@tiptap/react';
import { type ReactNode, type Ref, useState } from 'react';
import { completedLink, linkFault } from '../../rules/link-address.ts';
import { chipContent } from './chip-node.ts';
import type { TextBlock } from './text-block.ts';
import { ToolForm } from './tool-form.tsx';
import classes from './visual.module.css';

interface TextToolbarProps {
  tiptap: Tiptap;
  block: TextBlock;
  colours: readonly string[];
  onAlign: (align: TextBlock['align']) => void;
  pickField: () => Promise<string | null>;
  onDone: () => void;
}

const alignments = [
  { align: 'left', label: 'Align left', icon: IconAlignLeft },
  { align: 'center', label: 'Centre', icon: IconAlignCenter },
  { align: 'right', label: 'Align right', icon: IconAlignRight },
] as const;

/** Comes after the words, so that Tab leads from them to it. It is drawn above them. */
export function TextToolbar(props: TextToolbarProps) {
  const { tiptap, block, colours, onAlign, pickField, onDone } = props;
  const addField = async () => {
    const liquid = await pickField();
    if (liquid) tiptap.chain().focus().insertContent(chipContent(liquid)).run();
    else tiptap.commands.focus();
  };
  return (
    <div
      className={classes.textBar}
      role="toolbar"
      aria-label="Words"
      onKeyDown={(event) => escapeTo(event, onDone)}
    >
      <Marks tiptap={tiptap} hasLists={block.type === 'text'} />
      <span className={classes.barLine} />
      {alignments.map(({ align, label, icon: Icon }) => (
        <Tool key={align} label={label} isOn={block.align === align} onClick={() => onAlign(align)}>
          <Icon size={16} stroke={1.6} />
        </Tool>
      ))}
      <span className={classes.barLine} />
      <LinkTool tiptap={tiptap} />
      <ColourTool tiptap={tiptap} colours={colours} />
      <Tool label="Insert a merge field" onClick={() => void addField()}>
        <IconBraces size={16} stroke={1.6} />
      </Tool>
      <Button size="xs" variant="subtle" onClick={onDone}>
        Done
      </Button>
    </div>
  );
}

function escapeTo(event: React.KeyboardEvent, onDone: () => void): void {
  if (event.key === 'Escape' && !event.defaultPrevented) onDone();
}

interface ToolProps {
  label: string;
  isOn?: boolean;
  onClick: () => void;
  children: ReactNode;
}

/** The kit hands a menu's target more than it has itself. */
const Tool = ({ label, isOn, onClick, children, ...rest }: ToolProps & { ref?: Ref<HTMLButtonElement> }) => (
  <ActionIcon
    {...rest}
    variant="subtle"
    size={28}
    aria-label={label}
    title={label}
    {...(isOn !== undefined && { 'aria-pressed': isOn })}
    className={classes.tool}
    // The words keep what is marked in them.
    onMouseDown={(event) => event.preventDefault()}
    onClick={onClick}
  >
    {children}
  </ActionIcon>
);

function Marks({ tiptap, hasLists }: { tiptap: Tiptap; hasLists: boolean }) {
  const on = useEditorState({
    editor: tiptap,
    selector: ({ editor }) => ({
      bold: editor.isActive('bold'),
      italic: editor.isActive('italic'),
      underline: editor.isActive('underline'),
      bullets: editor.isActive('bulletList'),
      numbers: editor.isActive('orderedList'),
    }),
  });
  const words = () => tiptap.chain().focus();
  return (
    <>
      <Tool label="Bold" isOn={on.bold} onClick={() => words().toggleBold().run()}>
        <IconBold size={16} stroke={1.6} />
      </Tool>
      <Tool label="Italic" isOn={on.italic} onClick={() => words().toggleItalic().run()}>
        <IconItalic size={16} stroke={1.6} />
      </Tool>
      <Tool label="Underline" isOn={on.underline} onClick={() => words().toggleUnderline().run()}>
        <IconUnderline size={16} stroke={1.6} />
      </Tool>
      {hasLists && (
        <>
          <Tool label="List" isOn={on.bullets} onClick={() => words().toggleBulletList().run()}>
            <IconList size={16} stroke={1.6} />
          </Tool>
          <Tool label="Numbered list" isOn={on.numbers} onClick={() => words().toggleOrderedList().run()}>
            <IconListNumbers size={16} stroke={1.6} />
          </Tool>
        </>
      )}
    </>
  );
}

function LinkTool({ tiptap }: { tiptap: Tiptap }) {
  const [opened, setOpened] = useState(false);
  const [href, setHref] = useState('');
  const isOn = useEditorState({ editor: tiptap, selector: ({ editor }) => editor.isActive('link') });
  const [error, setError] = useState<string | null>(null);
  const open = () => {
    setHref(String(tiptap.getAttributes('link').href ?? ''));
    setError(null);
    setOpened(true);
  };
  const done = () => {
    const whole = completedLink(href);
    const fault = linkFault(whole);
    setError(fault);
    if (fault) return;
    setOpened(false);
    const words = tiptap.chain().focus().extendMarkRange('link');
    const mark = { type: 'link', attrs: { href: whole } };
    if (whole === '') words.unsetLink().run();
    else if (tiptap.state.selection.empty && !isOn)
      words.insertContent({ type: 'text', text: href.trim(), marks: [mark] }).run();
    else words.setLink({ href: whole }).run();
  };
  return (
    <ToolForm
      opened={opened}
      onOpen={setOpened}
      submitLabel="Apply"
      onSubmit={done}
      tool={
        <Tool label="Link" isOn={isOn} onClick={open}>
          <IconLink size={16} stroke={1.6} />
        </Tool>
      }
    >
      <TextInput
        label="Address of the link"
        description="Empty: no link."
        placeholder="https://"
        data-autofocus
        error={error}
        value={href}
        onChange={({ currentTarget: { value } }) => {
          setHref(value);
          setError(null);
        }}
      />
    </ToolForm>
  );
}

function ColourTool({ tiptap, colours }: { tiptap: Tiptap; colours: readonly string[] }) {
  const [opened, setOpened] = useState(false);
  const now = useEditorState({
    editor: tiptap,
    selector: ({ editor }) => String(editor.getAttributes('textStyle').color ?? ''),
  });
  const choose = (colour: string | null) => {
    setOpened(false);
    const words = tiptap.chain().focus();
    if (colour) words.setColor(colour).run();
    else words.unsetColor().run();
  };
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus returnFocus withinPortal position="bottom">
      <Popover.Target>
        <Tool label="Colour of the words" onClick={() => setOpened(true)}>
          <ColorSwatch component="span" size={14} color={now || 'currentColor'} />
        </Tool>
      </Popover.Target>
      <Popover.Dropdown>
        <fieldset className={classes.swatches}>
          <legend>Colour of the words</legend>
          {colours.map((colour) => (
            <button
              key={colour}
              type="button"
              aria-label={colour}
              aria-pressed={now === colour}
              title={colour}
              className={classes.swatch}
              style={{ backgroundColor: colour }}
              onClick={() => choose(colour)}
            />
          ))}
          <label className={classes.anyColour}>
            Another
            <input
              type="color"
              value={/^#[\da-f]{6}$/i.test(now) ? now : '#000000'}
              onChange={({ currentTarget: { value } }) => tiptap.commands.setColor(value)}
            />
          </label>
          <Button size="xs" variant="subtle" color="gray" onClick={() => choose(null)}>
            As the email
          </Button>
        </fieldset>
      </Popover.Dropdown>
    </Popover>
  );
}
