import { IconFileTypeCsv, IconFileTypeXls } from '@tabler/icons-react';

export const fileIcon = (fileName: string): typeof IconFileTypeCsv =>
  fileName.toLowerCase().endsWith('.xlsx') ? IconFileTypeXls : IconFileTypeCsv;
