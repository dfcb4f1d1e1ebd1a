import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { SampleReceipt } from '#features/welcome/web/index.ts';
import { LogoMark } from '#platform/web/components/logo.tsx';
import { useUrlState } from '#platform/web/url-state.ts';
import { AuthForm } from './auth-form.tsx';
import classes from './auth-page.module.css';
import { authSearch } from './auth-search.ts';

/** Sign in and sign up: the form at the left, what it is for at the right. */
export default function AuthPage() {
  const [{ mode, next }] = useUrlState(authSearch);
  const signingUp = mode === 'sign-up';
  useEffect(() => {
    document.title = `${signingUp ? 'Get started' : 'Sign in'} – Email Manager`;
  }, [signingUp]);
  return (
    <div className={classes.split}>
      <div className={classes.left}>
        <header className={classes.brand}>
          <Link to="/" className={classes.home}>
            <LogoMark />
            <span>
              <span className={classes.name}>Email Manager</span>
              <span className={classes.subtitle}>Marketing Database</span>
            </span>
          </Link>
        </header>
        <main className={classes.middle}>
          <div className={classes.form}>
            <h1 className={classes.title}>{signingUp ? 'Get started' : 'Sign in'}</h1>
            <p className={classes.other}>
              {signingUp ? 'Already have an account? ' : 'New here? '}
              <Link
                to="/auth"
                search={{ ...(signingUp ? {} : { mode: 'sign-up' }), ...(next ? { next } : {}) }}
              >
                {signingUp ? 'Sign in' : 'Get started free'}
              </Link>
            </p>
            <AuthForm key={mode} mode={mode} next={next} />
            {!signingUp && (
              <p className={classes.forgot}>
                <Link to="/forgot-password">Forgot your password?</Link>
              </p>
            )}
            <p className={classes.offer}>200 free emails a month. No credit card required.</p>
          </div>
        </main>
        <footer className={classes.footer}>Email Manager, {new Date().getFullYear()}</footer>
      </div>
      <aside className={classes.right}>
        <div className={classes.pitch}>
          <h2 className={classes.headline}>
            Know every address
            <br />
            before you send to it.
          </h2>
          <p className={classes.lead}>
            Import a list, see what happens to each row, and mail only the people you may mail. Made for UK
            senders, up to 15 million addresses.
          </p>
          <SampleReceipt />
        </div>
      </aside>
    </div>
  );
}
