import { IconArrowBackUp, IconFileCheck, IconShieldCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { LinkButton } from '#platform/web/components/links.tsx';
import { BrandLine } from '#platform/web/components/logo.tsx';
import { Pitch } from './pitch.tsx';
import { SampleReceipt } from './sample-receipt.tsx';
import classes from './welcome-page.module.css';

const features = [
  {
    icon: IconFileCheck,
    title: 'Every row has a reason',
    text: 'Each address in a file is imported, or left out with its line number and the reason why.',
  },
  {
    icon: IconShieldCheck,
    title: 'Suppression always wins',
    text: 'Nobody who left comes back through an upload, a merge or a forgotten spreadsheet.',
  },
  {
    icon: IconArrowBackUp,
    title: 'Nothing is lost by accident',
    text: 'See the counts before a clean or an import, and undo it afterwards.',
  },
];

/** What a signed-out visitor sees first. */
export default function WelcomePage() {
  useEffect(() => {
    document.title = 'Email Manager – know every address before you send to it';
  }, []);
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <BrandLine />
        <LinkButton to="/auth" variant="default">
          Sign in
        </LinkButton>
      </header>
      <main className={classes.main}>
        <section className={classes.hero}>
          <div>
            <Pitch heading="h1" />
            <div className={classes.actions}>
              <LinkButton to="/auth" search={{ mode: 'sign-up' }} size="md">
                Get Started Free
              </LinkButton>
              <span className={classes.offer}>200 free emails a month. No credit card required.</span>
            </div>
          </div>
          <SampleReceipt />
        </section>
        <ul className={classes.features}>
          {features.map(({ icon: FeatureIcon, title, text }) => (
            <li key={title}>
              <FeatureIcon size={20} stroke={1.6} className={classes.icon} aria-hidden />
              <h2 className={classes.featureTitle}>{title}</h2>
              <p className={classes.featureText}>{text}</p>
            </li>
          ))}
        </ul>
      </main>
      <footer className={classes.footer}>
        <span>Email Manager, {new Date().getFullYear()}</span>
        <Link to="/auth">Sign in</Link>
      </footer>
    </div>
  );
}
