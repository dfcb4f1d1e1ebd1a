import {
  IconBan,
  IconCertificate,
  IconDownload,
  IconListDetails,
  IconPencil,
  IconShieldCheck,
  IconTag,
  IconTrash,
} from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { ContactFilter, ContactSelection } from '#features/audience/contract.ts';
import { useSetBasis } from '#features/basis/web/index.ts';
import { useDeleteEmails } from '#features/bin/web/index.ts';
import type { ExportInclude } from '#features/exports/contract.ts';
import { downloadContacts } from '#features/exports/web/index.ts';
import { useSetFields } from '#features/field-changes/web/index.ts';
import { useListContacts } from '#features/lists/web/index.ts';
import { useTagContacts } from '#features/tags/web/index.ts';
import { useVerify } from '#features/verification/web/index.ts';
import type { BulkAction } from '#platform/web/components/selection-bar.tsx';
import type { Selection } from '#platform/web/components/use-selection.ts';
import { useMay } from '#platform/web/current-user.ts';
import { toastFailed } from '#platform/web/toast.tsx';
import { useSuppressMany } from './use-suppress-many.tsx';

interface BulkOptions {
  selection: Selection<number>;
  filter: ContactFilter;
  /** About how many match the filter. */
  total: number | undefined;
  /** Called after contacts were removed. */
  onRemoved: () => void;
  /** What else an export should contain. */
  include: ExportInclude;
}

/** Who is chosen. With nobody chosen, says so. */
function chosenOf(selection: Selection<number>, filter: ContactFilter): ContactSelection | null {
  if (selection.everything) return { filter };
  if (selection.keys.size > 0) return { ids: [...selection.keys] };
  toastFailed({
    title: 'No Emails Selected',
    message: 'Please select at least one email to perform this action',
  });
  return null;
}

/** What can be done with the chosen contacts. With nothing chosen, an action says so instead. */
export function useBulkActions({ selection, filter, total, onRemoved, include }: BulkOptions): {
  actions: BulkAction[];
  dialogs: ReactNode;
} {
  const mayEdit = useMay('editor');
  const verify = useVerify();
  const [exporting, setExporting] = useState(false);
  const finish = () => {
    selection.clear();
    onRemoved();
  };
  const removal = useDeleteEmails({ onDone: finish });
  const suppression = useSuppressMany({ onBegun: selection.clear });
  const setting = useSetFields({ onBegun: selection.clear });
  const basing = useSetBasis({ onBegun: selection.clear });
  const listing = useListContacts(selection.clear);
  const tagging = useTagContacts(selection.clear);

  const withChosen = (act: (selected: ContactSelection) => void) => () => {
    const selected = chosenOf(selection, filter);
    if (selected) act(selected);
  };

  const download = async (selected: ContactSelection) => {
    setExporting(true);
    await downloadContacts(selected, 'ids' in selected ? selected.ids.length : total, { include });
    setExporting(false);
    selection.clear();
  };

  const editing: BulkAction[] = [
    {
      label: 'Verify',
      icon: IconShieldCheck,
      onClick: withChosen((selected) => void verify(selected).then(selection.clear)),
    },
    {
      label: 'List',
      inMenu: 'Put selected on a list',
      icon: IconListDetails,
      onClick: withChosen(listing.ask),
    },
    { label: 'Tag', icon: IconTag, onClick: withChosen(tagging.ask) },
    { label: 'Suppress', icon: IconBan, onClick: withChosen(suppression.ask) },
    {
      label: 'Set a field',
      inMenu: 'Set a field of selected',
      icon: IconPencil,
      onClick: withChosen(setting.ask),
    },
    {
      label: 'Marketing basis',
      inMenu: 'Set marketing basis',
      icon: IconCertificate,
      onClick: withChosen(basing.ask),
    },
  ];
  const exportThem: BulkAction = {
    label: 'Export',
    icon: IconDownload,
    onClick: withChosen((selected) => void download(selected)),
    pending: exporting,
  };
  const remove: BulkAction = {
    label: 'Delete',
    icon: IconTrash,
    danger: true,
    onClick: withChosen(removal.askMany),
  };
  return {
    actions: mayEdit ? [...editing, exportThem, remove] : [exportThem],
    dialogs: (
      <>
        {removal.dialog}
        {suppression.dialog}
        {setting.dialog}
        {basing.dialog}
        {listing.dialog}
        {tagging.dialog}
      </>
    ),
  };
}
