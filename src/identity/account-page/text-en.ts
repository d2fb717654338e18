/** The account pages in English, and the shape of their texts in every language. */
import type { Fault } from '../../core/errors.ts'
import type { RefusedRequest } from '../../core/language/fault-sentence.ts'
import { type SignUpText, signUpEnglish } from './sign-up-text.ts'

export interface AccountText extends SignUpText {
  forgotPassword: { title: string; introduction: string; button: string; done: string }
  resetPassword: { title: string; button: string; done: string }
  acceptInvitation: {
    title(brand: string): string
    introduction(invitedBy: string, email: string): string
    button: string
    done(userName: string): string
  }
  signIn: { title: string; button: string; forgotten: string; atProvider: string; again: string }
  secondFactor: { title: string; button: string; notHere: string }
  passkey: { button: string; failed: string }
  addFactor: { title: string; introduction: string; qrCode: string; link: string; button: string }
  recoveryCodes: { title: string; introduction: string; button: string }
  labels: Record<FieldName, string>
  /** What a field must be like. */
  hints: { userName: string; password: string }
  linkNotValid: string
  checkForm: string
  /** @returns why the form is refused, where that concerns no field */
  error(refused: RefusedRequest): string
  /** @returns why a field is refused, in a sentence that begins with its label */
  reason(fault: Fault): string
}

export type FieldName =
  | 'userName'
  | 'userNameOrEmail'
  | 'password'
  | 'code'
  | 'appCode'
  | 'newPassword'
  | 'firstName'
  | 'lastName'

export const english: AccountText = {
  ...signUpEnglish,
  forgotPassword: {
    title: 'Forgotten password',
    introduction: 'We send a link to your address, with which you choose a new password.',
    button: 'Send the link',
    done: 'If there is such a user, a mail is on its way. The link in it works once, for one hour.',
  },
  resetPassword: {
    title: 'Choose a new password',
    button: 'Set the password',
    done: 'The password is set. Sign in with it.',
  },
  acceptInvitation: {
    title: (brand) => `Welcome to ${brand}`,
    introduction: (invitedBy, email) => `${invitedBy} has invited ${email}.`,
    button: 'Accept the invitation',
    done: (userName) => `You are now a user. Sign in as ${userName}.`,
  },
  signIn: {
    title: 'Sign in',
    button: 'Sign in',
    forgotten: 'Forgotten password',
    atProvider: 'Sign in with your organisation',
    again: 'Begin again',
  },
  secondFactor: {
    title: 'Second factor',
    button: 'Sign in',
    notHere:
      'Your organisation requires a second factor that this page cannot ask for. Sign in in the application.',
  },
  passkey: {
    button: 'Sign in with a passkey',
    failed: 'The passkey was not used. Try again, or sign in in another way.',
  },
  addFactor: {
    title: 'Add a second factor',
    introduction:
      'Your organisation requires a second factor. Scan this code with an authenticator app, or type the secret in it. Then type the code that the app shows.',
    qrCode: 'QR code for the authenticator app',
    link: 'Open the authenticator app of this device',
    button: 'Add the app',
  },
  recoveryCodes: {
    title: 'Recovery codes',
    introduction:
      'Keep these codes in a safe place. Each signs you in once when you have lost the app. They are not shown again.',
    button: 'Continue',
  },
  labels: {
    password: 'Password',
    code: 'Code of the authenticator app, or a recovery code',
    appCode: 'Code of the authenticator app',
    userName: 'User name',
    userNameOrEmail: 'User name or email',
    newPassword: 'New password',
    firstName: 'Given name',
    lastName: 'Family name',
  },
  hints: {
    userName: '3 to 50 letters, digits, and . _ - @',
    password:
      'At least 8 characters: an upper-case letter, a lower-case letter, a digit and one other character',
  },
  linkNotValid: 'This link is not valid. It was used, it has expired, or it is incomplete.',
  checkForm: 'Correct the fields that are marked.',
  error: ({ detail = '' }) => detail,
  reason: ({ reason }) => reason,
}
