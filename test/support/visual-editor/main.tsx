import '#platform/web/global.css';
import '@mantine/notifications/styles.layer.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { lazy, StrictMode, Suspense, useState } from 'react';
import { createRoot } from 'react-dom/client';
import type { Block } from '#features/templates/rules/document/places.ts';
import { type TemplateDocument, templateDocument } from '#features/templates/rules/document/schema.ts';
import type { SavedBlock } from '#features/templates/web/visual/visual-props.ts';
import { cssVariablesResolver, theme } from '#platform/web/theme.ts';

// The visual editor on a page of its own: its document stands in the address and in `shown`,
// `show` hands it another one, and what it asks for is answered at once.

const VisualEditor = lazy(() => import('#features/templates/web/visual/visual-editor.tsx'));

const given = JSON.parse(decodeURIComponent(location.hash.slice(1)) || '{"version":1,"blocks":[]}');

const picture =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='550' height='180'%3E%3Crect width='550' height='180' fill='%23dfe5e1'/%3E%3C/svg%3E";

function Harness() {
  const [document, setDocument] = useState<TemplateDocument>(() => templateDocument.parse(given));
  const [saved, setSaved] = useState<(SavedBlock & { block: Block })[]>([]);
  Object.assign(window, { shown: document, show: setDocument });
  return (
    <div style={{ height: '100vh' }}>
      <h1 style={{ position: 'absolute', opacity: 0 }}>Visual editor</h1>
      <Suspense fallback={null}>
        <VisualEditor
          document={document}
          onChange={setDocument}
          brand={{ look: { button: '#23393e' } }}
          fields={[{ name: 'first_name', label: 'First name' }]}
          tags={[
            { id: 12, name: 'Agency' },
            { id: 13, name: 'Donor' },
          ]}
          pickField={async () => '{{ first_name | default: "there" }}'}
          pickImage={async () => ({ src: picture, alt: 'A blue jug', width: 550 })}
          savedBlocks={saved}
          readSavedBlock={async (id) => saved.find((one) => one.id === id)?.block ?? null}
          onSaveBlock={async (name, block) =>
            setSaved((all) => [...all, { id: all.length + 1, name, type: block.type, block }])
          }
          onDeleteSavedBlock={async (id) => setSaved((all) => all.filter((one) => one.id !== id))}
        />
      </Suspense>
    </div>
  );
}

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto">
        <Notifications limit={1} autoClose={5_000} />
        <Harness />
      </MantineProvider>
    </StrictMode>,
  );
