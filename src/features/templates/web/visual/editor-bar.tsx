import { ActionIcon, Button, SegmentedControl } from '@mantine/core';
import {
  IconAdjustments,
  IconArrowBackUp,
  IconArrowForwardUp,
  IconDeviceDesktop,
  IconDeviceMobile,
  IconMoon,
  IconPlus,
  IconSun,
} from '@tabler/icons-react';
import type { Icon } from '#platform/web/icon.ts';
import type { CanvasView } from './canvas.tsx';
import type { Editor } from './use-editor.ts';
import classes from './visual.module.css';
import type { VisualEditorProps } from './visual-props.ts';

interface EditorBarProps extends Pick<VisualEditorProps, 'barStart' | 'barEnd'> {
  editor: Editor;
  view: CanvasView;
  onView: (view: CanvasView) => void;
  /** On narrow windows, where the panels lie in drawers. */
  onOpen?: ((panel: 'palette' | 'inspector') => void) | undefined;
}

const labelled = (Mark: Icon, label: string) => (
  <span className={classes.choice}>
    <Mark size={16} stroke={1.6} />
    <span>{label}</span>
  </span>
);

export function EditorBar({ editor, view, onView, onOpen, barStart, barEnd }: EditorBarProps) {
  return (
    <div className={classes.bar}>
      <div className={classes.barGroup}>
        <ActionIcon aria-label="Undo" title="Undo (Ctrl Z)" disabled={!editor.canUndo} onClick={editor.undo}>
          <IconArrowBackUp size={18} stroke={1.6} />
        </ActionIcon>
        <ActionIcon
          aria-label="Redo"
          title="Redo (Ctrl Shift Z)"
          disabled={!editor.canRedo}
          onClick={editor.redo}
        >
          <IconArrowForwardUp size={18} stroke={1.6} />
        </ActionIcon>
        {onOpen && (
          <>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconPlus size={16} stroke={1.6} />}
              onClick={() => onOpen('palette')}
            >
              Add
            </Button>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconAdjustments size={16} stroke={1.6} />}
              onClick={() => onOpen('inspector')}
            >
              Settings
            </Button>
          </>
        )}
        {barStart}
      </div>
      <div className={classes.barGroup}>
        <SegmentedControl
          size="xs"
          aria-label="Width"
          data={[
            { value: 'desktop', label: labelled(IconDeviceDesktop, 'Desktop') },
            { value: 'phone', label: labelled(IconDeviceMobile, 'Phone') },
          ]}
          value={view.width}
          onChange={(width) => onView({ ...view, width: width as CanvasView['width'] })}
        />
        <SegmentedControl
          size="xs"
          aria-label="Colours of the mail program"
          data={[
            { value: 'light', label: labelled(IconSun, 'Light') },
            { value: 'dark', label: labelled(IconMoon, 'Dark') },
          ]}
          value={view.dark ? 'dark' : 'light'}
          onChange={(scheme) => onView({ ...view, dark: scheme === 'dark' })}
        />
      </div>
      <div className={classes.barGroup}>{barEnd}</div>
    </div>
  );
}
