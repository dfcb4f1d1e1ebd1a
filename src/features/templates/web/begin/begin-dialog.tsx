import { Modal, Skeleton, UnstyledButton } from '@mantine/core';
import { IconBracketsAngle, IconCode, IconFileImport, IconLayout } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { ErrorLine } from '#platform/web/components/states.tsx';
import { useMay } from '#platform/web/current-user.ts';
import type { Icon } from '#platform/web/feature.ts';
import type { PresetKind } from '../../rules/preset-kinds.ts';
import { preloadVisualEditor } from '../editor/preload.ts';
import { PresetKinds } from '../preset-templates.tsx';
import type { ChangeTemplates } from '../templates-search.ts';
import { sampleSource, Thumbnail } from '../thumbnail.tsx';
import { usePresets } from '../use-presets.ts';
import classes from './begin-dialog.module.css';

interface BeginDialogProps {
  opened: boolean;
  /** Whose presets are offered. */
  kind: PresetKind;
  change: ChangeTemplates;
}

/** Asks how to begin a template: by one of the three ways to write, an import or a preset. */
export function BeginDialog({ opened, kind, change }: BeginDialogProps) {
  const mayEdit = useMay('editor');
  const navigate = useNavigate();
  const write = (as: 'visual' | 'mjml') =>
    void navigate({
      to: '/templates/$id',
      params: { id: 'new' },
      search: as === 'visual' ? {} : { as },
    });
  return (
    <Modal
      opened={opened && mayEdit}
      onClose={() => change({ dialog: undefined })}
      title="Create Email Template"
      size={780}
      // Some kinds of business have more presets. At the top, the choice of kinds keeps its place.
      centered={false}
    >
      <div className={classes.ways}>
        <Way
          icon={IconLayout}
          name="Visual editor"
          words="Put blocks together and see the email as you write it. No code."
          isFirst
          onIntent={preloadVisualEditor}
          onChoose={() => write('visual')}
        />
        <Way
          icon={IconCode}
          name="HTML"
          words="Write or paste HTML of your own, with the email beside it."
          onChoose={() => change({ dialog: 'new', use: undefined })}
        />
        <Way
          icon={IconBracketsAngle}
          name="MJML"
          words="Write short tags that become HTML for every mail program."
          onChoose={() => write('mjml')}
        />
        <Way
          icon={IconFileImport}
          name="Import HTML"
          words="Bring in a file, a zip or a Mailchimp template. Its merge tags become yours."
          onChoose={() => change({ dialog: 'import' })}
        />
      </div>
      <Presets kind={kind} change={change} />
    </Modal>
  );
}

interface WayProps {
  icon: Icon;
  name: string;
  words: string;
  /** The one that most people want: it has the focus. */
  isFirst?: boolean;
  onIntent?: () => void;
  onChoose: () => void;
}

const Way = ({ icon: WayIcon, name, words, isFirst = false, onIntent, onChoose }: WayProps) => (
  <UnstyledButton
    className={classes.way}
    data-autofocus={isFirst || undefined}
    onPointerEnter={onIntent}
    onFocus={onIntent}
    onClick={onChoose}
  >
    <span className={classes.icon}>
      <WayIcon size={20} stroke={1.6} aria-hidden />
    </span>
    <span>
      <span className={classes.name}>{name}</span>
      <span className={classes.words}>{words}</span>
    </span>
  </UnstyledButton>
);

function Presets({ kind, change }: Omit<BeginDialogProps, 'opened'>) {
  const { data, error } = usePresets();
  const shown = data?.filter((one) => one.kind === kind) ?? [];
  return (
    <section aria-label="Presets">
      <h3 className={classes.title}>Or begin with a preset</h3>
      <PresetKinds kind={kind} change={change} />
      {error && <ErrorLine title="The presets could not be loaded." error={error} />}
      <ul className={classes.presets}>
        {!data && !error && <Places />}
        {shown.map(({ id, name, htmlContent }) => {
          const use = () => change({ dialog: 'new', use: id });
          return (
            <li key={id} className={classes.preset}>
              <Thumbnail name={name} source={sampleSource(htmlContent)} onOpen={use} />
              <UnstyledButton className={classes.use} onClick={use}>
                {name}
              </UnstyledButton>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** As high as what comes: otherwise the whole dialog moves when it is there. */
const Places = () =>
  [1, 2, 3].map((n) => (
    <li key={n}>
      <Skeleton height={220} radius={8} />
    </li>
  ));
