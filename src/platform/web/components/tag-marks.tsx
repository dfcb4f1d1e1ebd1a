import classes from './tag-marks.module.css';

interface MarkedTag {
  id: number;
  name: string;
  color: string;
}

/** A tag as people see it everywhere: outlined, with its own colour only in the dot. */
export const TagMark = ({ name, color }: Pick<MarkedTag, 'name' | 'color'>) => (
  <span className={classes.mark} title={name}>
    <span className={classes.dot} style={{ backgroundColor: color }} aria-hidden />
    <span className={classes.name}>{name}</span>
  </span>
);

interface TagMarksProps {
  tags: readonly MarkedTag[];
  /** Shows all of them, in several lines if need be. Otherwise the line is cut. */
  wraps?: boolean;
}

/** The tags of one contact. The title names them all. */
export const TagMarks = ({ tags, wraps = false }: TagMarksProps) => (
  <span
    className={classes.marks}
    data-wraps={wraps || undefined}
    title={tags.map(({ name }) => name).join(', ')}
  >
    {tags.map((tag) => (
      <TagMark key={tag.id} {...tag} />
    ))}
  </span>
);
