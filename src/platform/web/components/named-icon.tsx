import {
  IconArrowBackUp,
  IconBan,
  IconBookmark,
  IconDownload,
  IconFileImport,
  IconInfoCircle,
  IconMailPlus,
  IconPencil,
  IconRestore,
  IconSettings,
  IconShieldLock,
  IconSparkles,
  IconTrash,
  IconUser,
  IconUserCheck,
  IconUserOff,
  IconUserPlus,
  IconWand,
  IconWorldOff,
} from '@tabler/icons-react';
import type { Icon } from '../feature.ts';

/**
 * The icons the server may name, in kebab case. Only these are in the bundle, because the whole set
 * has thousands.
 */
const icons: Record<string, Icon> = {
  'arrow-back-up': IconArrowBackUp,
  ban: IconBan,
  bookmark: IconBookmark,
  download: IconDownload,
  'file-import': IconFileImport,
  'mail-plus': IconMailPlus,
  pencil: IconPencil,
  restore: IconRestore,
  settings: IconSettings,
  'shield-lock': IconShieldLock,
  sparkles: IconSparkles,
  trash: IconTrash,
  user: IconUser,
  'user-check': IconUserCheck,
  'user-off': IconUserOff,
  'user-plus': IconUserPlus,
  wand: IconWand,
  'world-off': IconWorldOff,
};

/** The icon for a name from the server. An unknown name gets a plain mark. */
export function NamedIcon({ name, size = 16 }: { name: string; size?: number }) {
  const Found = icons[name] ?? IconInfoCircle;
  return <Found size={size} stroke={1.6} aria-hidden />;
}
