import { fontsOf } from '../../rules/document/fonts.ts';
import type { TemplateDocument } from '../../rules/document/schema.ts';
import { shownPicture, standIn } from '../visual/picture-address.ts';
import classes from './brand.module.css';

interface BrandPreviewProps {
  look: TemplateDocument['look'];
  logo: string | undefined;
  logoAlt: string;
  /** From the settings. Empty: none yet. */
  company: string;
  postalAddress: string;
}

/** A small email with the look. It shows colours and letters; sizes are half of the real ones. */
export function BrandPreview({ look, logo, logoAlt, company, postalAddress }: BrandPreviewProps) {
  const picture = logo ? shownPicture(logo) : null;
  return (
    <figure className={classes.preview}>
      <div className={classes.ground} style={{ background: look.background, fontFamily: fontsOf(look.font) }}>
        <div className={classes.paper} style={{ background: look.paper, color: look.text }}>
          {picture && <img src={'src' in picture ? picture.src : standIn(picture.host)} alt={logoAlt} />}
          <p className={classes.heading}>The autumn shelf is full</p>
          <p>
            Made in small batches by people we know. <span style={{ color: look.link }}>See all of it</span>
          </p>
          <span
            className={classes.button}
            style={{ background: look.button, color: look.buttonText, borderRadius: look.corner / 2 }}
          >
            Order now
          </span>
          <p className={classes.foot}>
            {company || 'Your company'}
            <br />
            {postalAddress || 'Your postal address'}
          </p>
        </div>
      </div>
      <figcaption>An email with this look</figcaption>
    </figure>
  );
}
