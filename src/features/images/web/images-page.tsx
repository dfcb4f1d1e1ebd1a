import { Card } from '#platform/web/components/card.tsx';
import { Page } from '#platform/web/components/page.tsx';
import { useUrlState } from '#platform/web/url-state.ts';
import { ImageDialog } from './image-dialog.tsx';
import { ImageLibrary } from './image-library.tsx';
import { ImageTile } from './image-tile.tsx';
import { imagesSearch } from './images-search.ts';
import { UploadButton } from './upload-button.tsx';
import { useUploads } from './use-uploads.ts';

/** The library of images for emails. */
export default function ImagesPage() {
  const [state, change] = useUrlState(imagesSearch);
  const uploads = useUploads();
  return (
    <Page
      title="Images"
      parent={{ label: 'Email Templates', to: '/templates' }}
      purpose="Pictures for your emails, shown to every reader"
      actions={<UploadButton uploads={uploads} />}
    >
      <Card>
        <ImageLibrary
          slash
          pageSize={24}
          state={state}
          change={change}
          uploads={uploads}
          tile={(image) => {
            const edit = () => change({ edit: image.id });
            return <ImageTile image={image} verb="Open" onPress={edit} onEdit={edit} />;
          }}
        />
      </Card>
      <ImageDialog id={state.edit} onClose={() => change({ edit: undefined })} />
    </Page>
  );
}
