import { type ReactNode, useState } from 'react';
import { Card } from '#platform/web/components/card.tsx';
import { Columns } from '#platform/web/components/page.tsx';
import { FiguresCard } from './figures-card.tsx';
import { RulesCard } from './rules-card.tsx';
import { SampleCard } from './sample-card.tsx';
import classes from './segments.module.css';
import type { DraftOnScreen } from './use-draft.ts';
import { useFigures } from './use-figures.ts';
import { type Asked, WhyCard } from './why-card.tsx';

interface SegmentEditorProps {
  screen: DraftOnScreen;
  /** What uses the segment, beside its words. */
  usedBy?: ReactNode;
}

/** Rules with all that is known about whom they mean. */
export function SegmentEditor({ screen, usedBy }: SegmentEditorProps) {
  const { draft } = screen;
  const figures = useFigures(draft);
  const [asked, setAsked] = useState<Asked | null>(null);
  const { preview, error } = figures;
  return (
    <Columns columns="minmax(0, 1fr) 320px">
      <div className={classes.column}>
        <RulesCard screen={screen} figures={figures} />
        <Card>
          <div className={classes.words}>
            <div>
              <h2 className={classes.label}>In words</h2>
              <p className={classes.sentence} aria-live="polite">
                {error ? '–' : preview?.words}
              </p>
            </div>
            {usedBy !== undefined && (
              <div>
                <h2 className={classes.label}>Used by</h2>
                {usedBy}
              </div>
            )}
          </div>
        </Card>
      </div>
      <div className={classes.column}>
        <FiguresCard figures={figures} />
        {!error && <SampleCard draft={draft} preview={preview} onWhy={setAsked} />}
        <WhyCard draft={draft} asked={asked} onAsk={setAsked} isReadable={!error} />
      </div>
    </Columns>
  );
}
