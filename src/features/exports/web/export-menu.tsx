import { Button, CheckIcon, Menu } from '@mantine/core';
import { IconChevronDown, IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getSettings } from '#features/settings/contract.ts';
import { queryOptionsFor } from '#platform/web/api.ts';
import { AsyncButton } from '#platform/web/components/async-button.tsx';
import { type ExportFormat, exportFormats } from '../contract.ts';
import classes from './export-menu.module.css';

const formatLabels: Record<ExportFormat, string> = { csv: 'CSV', json: 'JSON', xlsx: 'Excel workbook' };

export interface ExportProps {
  /**
   * Downloads what is shown, in the workspace's format unless another is requested. Never rejects.
   */
  onExport: (format?: ExportFormat) => Promise<void>;
  /** Whether an export also holds what the last verification found. */
  withVerdicts: boolean;
  onWithVerdicts: (withVerdicts: boolean) => void;
}

/**
 * The formats as menu items with the default one marked, and whether the file includes verdicts.
 */
export function ExportItems({ onExport, withVerdicts, onWithVerdicts }: ExportProps) {
  const byDefault = useQuery(queryOptionsFor(getSettings)).data?.export.defaultFormat;
  const formats = exportFormats.map((format) => (
    <Menu.Item
      key={format}
      leftSection={<IconDownload size={16} stroke={1.6} />}
      rightSection={
        format === byDefault && <span style={{ color: 'var(--ui-dim)', fontSize: 12 }}>your default</span>
      }
      onClick={() => void onExport(format)}
    >
      Export as {formatLabels[format]}
    </Menu.Item>
  ));
  return (
    <>
      {formats}
      <Menu.CheckboxItem
        checked={withVerdicts}
        onChange={onWithVerdicts}
        checkIcon={<CheckIcon size={9} />}
        classNames={{ itemIndicator: classes.box }}
      >
        Include verdicts
      </Menu.CheckboxItem>
    </>
  );
}

/** Exports in the default format with one press. The arrow beside it offers the others. */
export function ExportButton({ onExport, ...rest }: ExportProps) {
  return (
    <Button.Group>
      <AsyncButton
        variant="default"
        leftSection={<IconDownload size={16} stroke={1.6} />}
        onClick={() => onExport()}
      >
        Export
      </AsyncButton>
      <Menu width={220} position="bottom-end">
        <Menu.Target>
          <Button variant="default" px={8} aria-label="Choose the format of the export">
            <IconChevronDown size={14} stroke={1.6} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <ExportItems onExport={onExport} {...rest} />
        </Menu.Dropdown>
      </Menu>
    </Button.Group>
  );
}
