import { describe, expect, it } from 'vitest';
import { ApiError } from '#platform/web/api.ts';
import { authFailure, checkAuth } from './auth-rules.ts';

const filled = { name: 'Alex', email: 'alex@harbourandpine.co.uk', password: 'long enough', workspace: '' };

describe('what is said before asking the server', () => {
  it('nothing, when the form is filled in', () => {
    expect(checkAuth('sign-up', filled)).toEqual({});
    expect(checkAuth('sign-in', { ...filled, name: '' })).toEqual({});
  });

  it('the length of a new password, but never of one in use', () => {
    expect(checkAuth('sign-up', { ...filled, password: 'too short' })).toHaveProperty('password');
    expect(checkAuth('sign-in', { ...filled, password: 'old' })).toEqual({});
  });

  it('what is wrong with a name for the workspace, where there is one', () => {
    expect(checkAuth('sign-up', { ...filled, workspace: 'Harbour & Pine' })).toEqual({});
    expect(checkAuth('sign-up', { ...filled, workspace: 'x'.repeat(101) })).toHaveProperty('workspace');
    expect(checkAuth('sign-in', { ...filled, workspace: 'x'.repeat(101) })).toEqual({});
  });

  it('each empty field', () => {
    expect(
      Object.keys(checkAuth('sign-up', { name: ' ', email: 'alex@', password: '', workspace: ' ' })),
    ).toEqual(['name', 'email', 'password']);
  });
});

describe('what is said of a refusal', () => {
  it('never which of the two was wrong', () => {
    const failure = authFailure('sign-in', new ApiError(401, '', '{"message":"Invalid email or password"}'));
    expect(failure).toEqual({ form: 'This email address and password do not match.' });
  });

  it.each([
    [45, 'Wait 45 seconds'],
    [600, 'Wait 10 minutes'],
    [undefined, 'Wait a minute'],
  ])('how long to wait after too many attempts: %s', (seconds, text) => {
    expect(authFailure('sign-in', new ApiError(429, '', '', seconds)).form).toContain(text);
  });

  it('beside the email, when it already has an account', () => {
    const failure = authFailure('sign-up', new ApiError(422, '', '{"message":"User already exists"}'));
    expect(failure).toEqual({ email: 'User already exists' });
  });

  it('beside the fields the server names', () => {
    const error = new ApiError(
      400,
      '',
      '{"message":"No.","code":"invalid_input","fields":{"password":"Too common"}}',
    );
    expect(authFailure('sign-up', error)).toEqual({ password: 'Too common' });
  });
});
