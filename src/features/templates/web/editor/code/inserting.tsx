import { Button } from '@mantine/core';
import { IconBraces, IconPhotoPlus } from '@tabler/icons-react';
import type { RefObject } from 'react';
import { useImagePicker } from '#features/images/web/index.ts';
import { imageOfMjml, imageTag } from '../../image-tag.ts';
import classes from '../../templates.module.css';
import { usePickField } from '../pick-field.tsx';
import type { CodeHandle } from './code-handle.ts';

interface InsertingProps {
  isMjml: boolean;
  code: RefObject<CodeHandle | null>;
}

/** Puts fields and images of the workspace where the cursor is. */
export function Inserting({ isMjml, code }: InsertingProps) {
  const fields = usePickField();
  const images = useImagePicker();
  const insertImage = async () => {
    const picked = await images.pickImage();
    if (picked) code.current?.insert(isMjml ? imageOfMjml(picked) : imageTag(picked));
  };
  const insertField = async () => {
    const liquid = await fields.pickField();
    if (liquid !== null) code.current?.insert(liquid);
  };
  return (
    <div className={classes.inserting}>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPhotoPlus size={16} stroke={1.6} />}
        onClick={() => void insertImage()}
      >
        Insert image
      </Button>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconBraces size={16} stroke={1.6} />}
        onClick={() => void insertField()}
      >
        Insert field
      </Button>
      {images.picker}
      {fields.picker}
    </div>
  );
}
