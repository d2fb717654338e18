/** The account pages in German. */
import { germanErrors } from '../../core/language/de.ts'
import { errorsIn, faultsIn } from '../../core/language/fault-sentence.ts'
import { germanFaults, germanTypes } from '../../core/language/faults-de.ts'
import { pluralsOf } from '../../core/language/plural.ts'
import { germanRefusals } from '../../core/language/refusals-de.ts'
import { weakPassword } from '../password/schema.ts'
import { signUpGerman } from './sign-up-text.ts'
import type { AccountText } from './text-en.ts'

const weakPasswordText =
  'muss einen Großbuchstaben, einen Kleinbuchstaben, eine Ziffer und ein anderes Zeichen enthalten'
const plural = pluralsOf('de')
const faultText = faultsIn(germanFaults, germanTypes, plural)

export const german: AccountText = {
  ...signUpGerman,
  forgotPassword: {
    title: 'Passwort vergessen',
    introduction: 'Wir senden einen Link an Ihre Adresse, mit dem Sie ein neues Passwort wählen.',
    button: 'Link senden',
    done: 'Wenn es diesen Benutzer gibt, ist eine E-Mail unterwegs. Der Link darin gilt einmal, eine Stunde lang.',
  },
  resetPassword: {
    title: 'Neues Passwort wählen',
    button: 'Passwort speichern',
    done: 'Das Passwort ist gespeichert. Melden Sie sich damit an.',
  },
  acceptInvitation: {
    title: (brand) => `Willkommen bei ${brand}`,
    introduction: (invitedBy, email) => `${invitedBy} hat ${email} eingeladen.`,
    button: 'Einladung annehmen',
    done: (userName) => `Ihr Konto ist angelegt. Melden Sie sich als ${userName} an.`,
  },
  signIn: {
    title: 'Anmelden',
    button: 'Anmelden',
    forgotten: 'Passwort vergessen',
    atProvider: 'Mit Ihrer Organisation anmelden',
    again: 'Von vorn beginnen',
  },
  secondFactor: {
    title: 'Zweiter Faktor',
    button: 'Anmelden',
    notHere:
      'Ihre Organisation verlangt einen zweiten Faktor, den diese Seite nicht abfragen kann. Melden Sie sich in der Anwendung an.',
  },
  passkey: {
    button: 'Mit einem Passkey anmelden',
    failed:
      'Der Passkey wurde nicht verwendet. Versuchen Sie es erneut, oder melden Sie sich auf andere Weise an.',
  },
  addFactor: {
    title: 'Zweiten Faktor hinzufügen',
    introduction:
      'Ihre Organisation verlangt einen zweiten Faktor. Scannen Sie diesen Code mit einer Authenticator-App, oder geben Sie dort das Geheimnis ein. Geben Sie dann hier den Code ein, den die App anzeigt.',
    qrCode: 'QR-Code für die Authenticator-App',
    link: 'Authenticator-App dieses Geräts öffnen',
    button: 'App hinzufügen',
  },
  recoveryCodes: {
    title: 'Wiederherstellungscodes',
    introduction:
      'Bewahren Sie diese Codes an einem sicheren Ort auf. Jeder meldet Sie einmal an, wenn Sie die App verloren haben. Sie werden nicht noch einmal angezeigt.',
    button: 'Weiter',
  },
  labels: {
    password: 'Passwort',
    code: 'Code der Authenticator-App oder ein Wiederherstellungscode',
    appCode: 'Code der Authenticator-App',
    userName: 'Benutzername',
    userNameOrEmail: 'Benutzername oder E-Mail',
    newPassword: 'Neues Passwort',
    firstName: 'Vorname',
    lastName: 'Nachname',
  },
  hints: {
    userName: '3 bis 50 Buchstaben, Ziffern und . _ - @',
    password:
      'Mindestens 8 Zeichen: ein Großbuchstabe, ein Kleinbuchstabe, eine Ziffer und ein anderes Zeichen',
  },
  linkNotValid: 'Dieser Link ist nicht gültig. Er wurde verwendet, ist abgelaufen oder unvollständig.',
  checkForm: 'Korrigieren Sie die markierten Felder.',
  error: errorsIn(germanRefusals, germanErrors, plural),
  reason: ({ reason, kind }) =>
    reason === weakPassword
      ? weakPasswordText
      : faultText(reason, kind?.code, kind !== undefined && 'parameters' in kind ? kind.parameters : {}),
}
