import '@mantine/dropzone/styles.layer.css';
import { Skeleton } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { IconPhoto } from '@tabler/icons-react';
import { type ReactNode, useEffect } from 'react';
import { queryOptionsFor } from '#platform/web/api.ts';
import { SearchField } from '#platform/web/components/search-field.tsx';
import { EmptyState, ErrorState, Note } from '#platform/web/components/states.tsx';
import { TableFooter } from '#platform/web/components/table-footer.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { formatBytes } from '#platform/web/format.ts';
import { usePages } from '#platform/web/list.ts';
import type { UrlStateOptions } from '#platform/web/url-state.ts';
import { type Image, listImages } from '../contract.ts';
import classes from './images.module.css';
import { UploadButton } from './upload-button.tsx';
import type { Uploads } from './use-uploads.ts';

export interface LibraryState {
  page: number;
  search: string;
}

interface ImageLibraryProps {
  state: LibraryState;
  change: (patch: Partial<LibraryState>, options?: UrlStateOptions) => void;
  uploads: Uploads;
  pageSize: number;
  /** `/` goes to the search. */
  slash?: boolean;
  /** Beside the search. */
  action?: ReactNode;
  tile: (image: Image) => ReactNode;
}

/** The images of the workspace: searched, and added by dropping or pasting them. */
export function ImageLibrary(props: ImageLibraryProps) {
  const { state, change, uploads, pageSize, slash = false, action, tile } = props;
  const { page, search } = state;
  const mayEdit = useMay('editor');
  const list = usePages(
    queryOptionsFor(listImages, { query: { page, limit: pageSize, search: search || undefined } }),
    { page, pageSize, onPage: (next) => change({ page: next }) },
  );
  usePaste(uploads.send, mayEdit);
  const { rows, data } = list;
  return (
    <>
      <div className={classes.toolbar}>
        <SearchField
          slash={slash}
          placeholder="Search images"
          value={search}
          onSearch={(text) => change({ search: text, page: 1 }, { replace: true })}
        />
        {data && (
          <span className={classes.usage}>
            {formatBytes(data.usedBytes)} of {formatBytes(data.mostBytes)} used
          </span>
        )}
        {action}
      </div>
      <Refusals uploads={uploads} />
      <Dropzone
        className={classes.drop}
        classNames={{ inner: classes.inner }}
        multiple
        activateOnClick={false}
        activateOnKeyboard={false}
        activateOnDrag={mayEdit}
        enablePointerEvents
        onDrop={uploads.send}
        inputProps={{ 'aria-hidden': true, tabIndex: -1 }}
      >
        {list.state.error && rows === undefined ? (
          <ErrorState title="The images could not be loaded" error={list.state.error} />
        ) : rows?.length === 0 ? (
          <Nothing isSearch={search !== ''} uploads={uploads} />
        ) : (
          <ul className={classes.grid} aria-label="Images">
            {rows?.map((image) => <li key={image.id}>{tile(image)}</li>) ?? <Blocks />}
          </ul>
        )}
      </Dropzone>
      {list.pages && (list.pages.total ?? 0) > pageSize && <TableFooter {...list.pages} />}
    </>
  );
}

/** Takes pictures from the clipboard while the library is on the screen. */
function usePaste(send: Uploads['send'], mayEdit: boolean): void {
  useEffect(() => {
    if (!mayEdit) return;
    const take = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      send(files);
    };
    document.addEventListener('paste', take);
    return () => document.removeEventListener('paste', take);
  }, [send, mayEdit]);
}

function Refusals({ uploads: { refusals } }: { uploads: Uploads }) {
  return refusals.map(({ file, words }, index) => (
    <Note key={index} tone="error" title={file}>
      {words}
    </Note>
  ));
}

function Nothing({ isSearch, uploads }: { isSearch: boolean; uploads: Uploads }) {
  if (isSearch)
    return <EmptyState icon={IconPhoto} title="No image matches" description="Change the search." />;
  return (
    <EmptyState
      icon={IconPhoto}
      title="No images yet"
      description="Drop or paste PNG, JPEG, GIF or WebP images here, up to 5 MB each. They are made to fit emails."
      action={<UploadButton uploads={uploads} isPlain />}
    />
  );
}

const Blocks = () =>
  [1, 2, 3, 4].map((one) => (
    <li key={one}>
      <Skeleton className={classes.block} />
    </li>
  ));
