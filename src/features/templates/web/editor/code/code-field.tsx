import { Input, Skeleton } from '@mantine/core';
import { useId } from 'react';
import { deferred } from '#platform/web/components/deferred.tsx';
import type { CodeEditorProps } from './code-editor.tsx';
import classes from './code-field.module.css';

// The largest part of the editor's page, for two of its three ways.
const CodeEditor = deferred(
  async () => (await import('./code-editor.tsx')).default,
  () => <Skeleton height="100%" />,
);

const isApple = () => /Mac|iPhone|iPad/.test(navigator.userAgent);

interface CodeFieldProps extends Omit<CodeEditorProps, 'describedBy'> {
  /** Why what is written was not taken. */
  error?: string | undefined;
}

/** A field for code, with its label and which keys do what. */
export function CodeField({ error, ...props }: CodeFieldProps) {
  const id = useId();
  const control = isApple() ? '⌘' : 'Ctrl+';
  return (
    <div>
      <Input.Label component="span">{props.label}</Input.Label>
      <div className={classes.field}>
        <CodeEditor {...props} describedBy={id} />
      </div>
      <div id={id}>
        {error && (
          <Input.Error component="p" className={classes.error}>
            {error}
          </Input.Error>
        )}
        <p className={classes.keys}>
          {`Ctrl+Space completes, ${control}F searches, F8 goes to the next finding, Tab leaves the field.`}
        </p>
      </div>
    </div>
  );
}
