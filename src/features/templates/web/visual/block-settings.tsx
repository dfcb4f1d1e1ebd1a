import { ActionIcon, Button, Checkbox, Select } from '@mantine/core';
import { IconPhoto, IconPlus, IconX } from '@tabler/icons-react';
import { useContext } from 'react';
import { withColumnCount } from '../../rules/document/edits.ts';
import type { Block } from '../../rules/document/places.ts';
import { mostMenuLinks, networks, type TemplateDocument } from '../../rules/document/schema.ts';
import { completedLink, linkFault } from '../../rules/link-address.ts';
import { Contrast } from './contrast.tsx';
import { swatchesOf } from './look-colours.ts';
import { shownPicture, standIn } from './picture-address.ts';
import { AlignField, ChoiceField, ColourField, NumberField, WordsField } from './settings-fields.tsx';
import { ToolsContext } from './tools-context.ts';
import classes from './visual.module.css';
import type { PickedImage } from './visual-props.ts';

interface SettingsProps<Type extends Block['type']> {
  block: Extract<Block, { type: Type }>;
  look: TemplateDocument['look'];
  set: (change: Partial<Omit<Extract<Block, { type: Type }>, 'id' | 'type'>>) => void;
}

const addressHint = 'An address, an email address with mailto:, or a merge field.';

interface LinkFieldProps {
  value: string;
  onChange: (href: string) => void;
  /** Absent: the only link of its block. */
  label?: string;
}

/** An address to lead to. What is missing in front of it is added when it is left. */
function LinkField({ label, value, onChange }: LinkFieldProps) {
  const complete = () => completedLink(value) !== value && onChange(completedLink(value));
  return (
    <WordsField
      label={label ?? 'Link'}
      value={value}
      placeholder="https://"
      error={linkFault(value) ?? undefined}
      {...(label === undefined && { description: addressHint })}
      onChange={onChange}
      onBlur={complete}
    />
  );
}

interface PictureFieldProps {
  src: string;
  onPick: (picture: PickedImage) => void;
}

function PictureField({ src, onPick }: PictureFieldProps) {
  const { pickImage } = useContext(ToolsContext);
  const shown = shownPicture(src);
  return (
    <>
      {src !== '' && !src.includes('{{') && (
        <img className={classes.picture} src={'src' in shown ? shown.src : standIn(shown.host)} alt="" />
      )}
      {pickImage && (
        <Button
          variant="default"
          fullWidth
          leftSection={<IconPhoto size={16} stroke={1.6} />}
          onClick={() => void pickImage().then((picked) => picked && onPick(picked))}
        >
          {src === '' ? 'Choose a picture' : 'Choose another picture'}
        </Button>
      )}
      <WordsField
        label="Address of the picture"
        value={src}
        placeholder="https://"
        onChange={(next) => onPick({ src: next, alt: '' })}
      />
    </>
  );
}

function ImageSettings({ block, set }: SettingsProps<'image' | 'logo'>) {
  return (
    <>
      <PictureField
        src={block.src}
        onPick={({ src, alt, width }) =>
          // A small picture is not drawn larger than it is.
          set({ src, alt: block.alt || alt, ...(width && { width: Math.min(Math.max(width, 10), 600) }) })
        }
      />
      <WordsField
        label="Description"
        description="Read out, and shown where pictures are not. Empty: the picture only decorates."
        value={block.alt}
        onChange={(alt) => set({ alt })}
      />
      <LinkField value={block.href ?? ''} onChange={(href) => set({ href: href || undefined })} />
      <NumberField
        label="Width"
        value={block.width}
        placeholder="As wide as there is room"
        min={10}
        max={600}
        canBeEmpty
        onChange={(width) => set({ width })}
      />
      <AlignField value={block.align} onChange={(align) => set({ align })} />
    </>
  );
}

function ButtonSettings({ block, look, set }: SettingsProps<'button'>) {
  return (
    <>
      <WordsField label="Label" value={block.label} onChange={(label) => set({ label })} />
      <LinkField value={block.href} onChange={(href) => set({ href })} />
      <hr className={classes.line} />
      <ColourField
        label="Fill"
        value={block.background}
        placeholder={look.button}
        swatches={swatchesOf(look)}
        onChange={(background) => set({ background })}
      />
      <ColourField
        label="Text"
        value={block.colour}
        placeholder={look.buttonText}
        swatches={swatchesOf(look)}
        onChange={(colour) => set({ colour })}
      />
      <Contrast words={block.colour ?? look.buttonText} ground={block.background ?? look.button} />
      <ChoiceField
        label="Width"
        value={block.isWide ? 'full' : 'fit'}
        choices={[
          { value: 'fit', label: 'Fit' },
          { value: 'full', label: 'Full' },
        ]}
        onChange={(width) => set({ isWide: width === 'full' || undefined })}
      />
      <AlignField value={block.align} onChange={(align) => set({ align })} />
      <NumberField
        label="Corners"
        value={block.corner}
        placeholder={`${look.corner} px`}
        min={0}
        max={24}
        canBeEmpty
        onChange={(corner) => set({ corner })}
      />
    </>
  );
}

function SocialSettings({ block, set }: SettingsProps<'social'>) {
  const change = (at: number, link: Partial<(typeof block.links)[number]>) =>
    set({ links: block.links.map((old, index) => (index === at ? { ...old, ...link } : old)) });
  return (
    <>
      {block.links.map(({ network, href }, at) => (
        // By its number: a field has to keep the cursor while its address changes.
        <fieldset key={at} className={classes.link}>
          <legend className={classes.unseen}>Link {at + 1}</legend>
          <div className={classes.linkHead}>
            <Select
              aria-label={`Network ${at + 1}`}
              data={networks.map((value) => ({ value, label: networkNames[value] }))}
              value={network}
              onChange={(next) => change(at, { network: next ?? network })}
            />
            <ActionIcon
              aria-label={`Remove ${networkNames[network]}`}
              disabled={block.links.length === 1}
              onClick={() => set({ links: block.links.toSpliced(at, 1) })}
            >
              <IconX size={16} stroke={1.6} />
            </ActionIcon>
          </div>
          <LinkField
            label={`Address at ${networkNames[network]}`}
            value={href}
            onChange={(next) => change(at, { href: next })}
          />
        </fieldset>
      ))}
      <Button
        variant="default"
        leftSection={<IconPlus size={16} stroke={1.6} />}
        disabled={block.links.length >= 8}
        onClick={() => set({ links: [...block.links, { network: nextNetwork(block.links), href: '' }] })}
      >
        Add a link
      </Button>
    </>
  );
}

type Network = (typeof networks)[number];

const networkNames: Record<Network, string> = {
  facebook: 'Facebook',
  instagram: 'Instagram',
  linkedin: 'LinkedIn',
  x: 'X',
  youtube: 'YouTube',
  pinterest: 'Pinterest',
  web: 'Website',
};

const nextNetwork = (links: readonly { network: Network }[]): Network =>
  networks.find((network) => links.every((link) => link.network !== network)) ?? 'web';

function MenuSettings({ block, set }: SettingsProps<'menu'>) {
  const change = (at: number, link: Partial<(typeof block.links)[number]>) =>
    set({ links: block.links.map((old, index) => (index === at ? { ...old, ...link } : old)) });
  return (
    <>
      {block.links.map(({ label, href }, at) => (
        // By its number: a field has to keep the cursor while its words change.
        <fieldset key={at} className={classes.link}>
          <legend className={classes.unseen}>Link {at + 1}</legend>
          <WordsField
            label={`Label ${at + 1}`}
            value={label}
            onChange={(next) => change(at, { label: next })}
          />
          <LinkField label={`Link ${at + 1}`} value={href} onChange={(next) => change(at, { href: next })} />
          <Button
            variant="subtle"
            color="gray"
            size="xs"
            disabled={block.links.length === 1}
            onClick={() => set({ links: block.links.toSpliced(at, 1) })}
          >
            Remove {label || 'this link'}
          </Button>
        </fieldset>
      ))}
      <Button
        variant="default"
        leftSection={<IconPlus size={16} stroke={1.6} />}
        disabled={block.links.length >= mostMenuLinks}
        onClick={() => set({ links: [...block.links, { label: 'Another', href: '' }] })}
      >
        Add a link
      </Button>
      <AlignField value={block.align} onChange={(align) => set({ align })} />
      <Checkbox
        label="Below each other on phones"
        checked={block.stacks}
        onChange={({ currentTarget: { checked } }) => set({ stacks: checked })}
      />
    </>
  );
}

function ProductSettings({ block, set }: SettingsProps<'product'>) {
  return (
    <>
      <PictureField
        src={block.src ?? ''}
        onPick={({ src, alt }) => set({ src: src || undefined, alt: block.alt || alt })}
      />
      <WordsField label="Description of the picture" value={block.alt} onChange={(alt) => set({ alt })} />
      <WordsField label="Name" value={block.name} onChange={(name) => set({ name })} />
      <WordsField
        label="Price"
        value={block.price ?? ''}
        onChange={(price) => set({ price: price || undefined })}
      />
      <WordsField
        label="Words below"
        isLong
        value={block.html ?? ''}
        onChange={(html) => set({ html: html || undefined })}
      />
      <WordsField
        label="Label of the button"
        description="Empty: no button."
        value={block.label ?? ''}
        onChange={(label) => set({ label: label || undefined })}
      />
      <LinkField value={block.href} onChange={(href) => set({ href })} />
    </>
  );
}

function FooterSettings({ block, set }: SettingsProps<'footer'>) {
  return (
    <>
      <p className={classes.hint}>
        Your company, its postal address and the way to unsubscribe. They come from the settings of the
        workspace.
      </p>
      <WordsField
        label="Words above the address"
        isLong
        value={block.html ?? ''}
        onChange={(html) => set({ html: html || undefined })}
      />
      <WordsField
        label="Words of the unsubscribe link"
        value={block.unsubscribe}
        onChange={(unsubscribe) => set({ unsubscribe })}
      />
      <Checkbox
        label="A link to the preferences"
        checked={block.preferences !== undefined}
        onChange={({ currentTarget: { checked } }) =>
          set({ preferences: checked ? 'Choose what we send' : undefined })
        }
      />
      {block.preferences !== undefined && (
        <WordsField
          label="Words of the preferences link"
          value={block.preferences}
          onChange={(preferences) => set({ preferences })}
        />
      )}
    </>
  );
}

function ColumnsSettings({ block, set }: SettingsProps<'columns'>) {
  return (
    <>
      <ChoiceField
        label="Columns"
        value={String(block.columns.length)}
        choices={['1', '2', '3', '4'].map((value) => ({ value, label: value }))}
        onChange={(count) =>
          set({ columns: withColumnCount(block, Number(count)).columns, shares: undefined })
        }
      />
      {block.columns.length === 2 && (
        <ChoiceField
          label="Widths"
          value={block.shares?.join(':') ?? '1:1'}
          choices={['1:1', '1:2', '2:1'].map((value) => ({ value, label: value.replace(':', ' : ') }))}
          onChange={(shares) => set({ shares: shares === '1:1' ? undefined : shares.split(':').map(Number) })}
        />
      )}
      <Checkbox
        label="Below each other on phones"
        checked={block.stacks}
        onChange={({ currentTarget: { checked } }) => set({ stacks: checked })}
      />
    </>
  );
}

interface BlockSettingsProps {
  block: Block;
  look: TemplateDocument['look'];
  onChange: (block: Block, kind: string) => void;
  onWrite: () => void;
}

/** The settings of one block. */
export function BlockSettings({ block, look, onChange, onWrite }: BlockSettingsProps) {
  const set = (change: object) => onChange({ ...block, ...change } as Block, Object.keys(change).join());
  switch (block.type) {
    case 'text':
    case 'heading':
      return (
        <>
          <Button variant="default" fullWidth onClick={onWrite}>
            Edit the words
          </Button>
          {block.type === 'heading' && (
            <ChoiceField
              label="Size"
              value={String(block.level)}
              choices={[
                { value: '1', label: 'Large' },
                { value: '2', label: 'Medium' },
                { value: '3', label: 'Small' },
              ]}
              onChange={(level) => set({ level: Number(level) })}
            />
          )}
          <AlignField value={block.align} onChange={(align) => set({ align })} />
        </>
      );
    case 'image':
    case 'logo':
      return <ImageSettings block={block} look={look} set={set} />;
    case 'button':
      return <ButtonSettings block={block} look={look} set={set} />;
    case 'divider':
      return (
        <ColourField
          label="Colour"
          value={block.colour}
          placeholder="#d4d4d8"
          swatches={swatchesOf(look)}
          onChange={(colour) => set({ colour })}
        />
      );
    case 'spacer':
      return (
        <NumberField
          label="Height"
          value={block.height}
          min={1}
          max={200}
          onChange={(height) => height !== undefined && set({ height })}
        />
      );
    case 'social':
      return <SocialSettings block={block} look={look} set={set} />;
    case 'menu':
      return <MenuSettings block={block} look={look} set={set} />;
    case 'product':
      return <ProductSettings block={block} look={look} set={set} />;
    case 'footer':
      return <FooterSettings block={block} look={look} set={set} />;
    case 'columns':
      return <ColumnsSettings block={block} look={look} set={set} />;
    case 'html':
      return (
        <WordsField
          label="HTML"
          description="Scripts, forms and styles of whole pages are taken out."
          isLong
          value={block.html}
          onChange={(html) => set({ html })}
        />
      );
  }
}
