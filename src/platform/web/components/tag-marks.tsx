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

/** The tags of one contact in a line. What does not fit is cut; the title names them all. */
export const TagMarks = ({ tags }: { tags: readonly MarkedTag[] }) => (
  <span className={classes.marks} title={tags.map(({ name }) => name).join(', ')}>
    {tags.map((tag) => (
      <TagMark key={tag.id} {...tag} />
    ))}
  </span>
);
