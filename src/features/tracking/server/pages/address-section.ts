import { type Html, html } from './page.ts';

/** The part of the preference page on which a reader types another address. */
export const addressSection = (): Html => html`<h2>Change your address</h2>
<p>We send a message to the new address. Nothing changes before you press the button in it.</p>
<form method="post">
<label class="field" for="email">New email address</label>
<input type="email" id="email" name="email" autocomplete="email" maxlength="254" required>
<button name="do" value="address" class="quiet">Send the message</button>
</form>`;
