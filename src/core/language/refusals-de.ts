import type { RefusalTranslations } from './refusal-texts.ts'

export const germanRefusals: RefusalTranslations = {
  'There is no such {label}.': 'Das gibt es nicht, oder nicht mehr.',
  'There is nothing at this address.': 'Unter dieser Adresse gibt es nichts.',
  'This requires the permission {}.': 'Dafür ist die Berechtigung {} nötig.',
  'This requires a signed-in user, and an API key is none.':
    'Dafür muss ein Benutzer angemeldet sein; ein API-Schlüssel genügt nicht.',
  'This is not possible while you act as another user.':
    'Das ist nicht möglich, solange Sie als anderer Benutzer handeln.',
  'Your rights do not reach this {label} for that.': 'Ihre Rechte reichen dafür nicht an diese Zeile heran.',
  'Your rights reach no {label} for that.': 'Ihre Rechte reichen dafür an keine Zeile heran.',
  'You cannot grant what you do not have: {}.': 'Sie können nicht vergeben, was Sie selbst nicht haben: {}.',
  'Nobody changes their own attributes.': 'Niemand ändert die eigenen Attribute.',
  'Nobody may act as an administrator of the host tenant.':
    'Niemand darf als Administrator des Mandanten des Betreibers handeln.',
  'Only an administrator of the host tenant may act as another user.':
    'Nur ein Administrator des Mandanten des Betreibers darf als anderer Benutzer handeln.',
  'The tenant does not allow this (allowImpersonation).':
    'Der Mandant erlaubt das nicht (allowImpersonation).',
  'The host tenant has to keep an active administrator.':
    'Der Mandant des Betreibers muss einen aktiven Administrator behalten.',
  'The sign-in has expired. Begin it again.': 'Die Anmeldung ist abgelaufen. Beginnen Sie noch einmal.',
  'The code is wrong, or it was used.': 'Der Code ist falsch, oder er wurde schon verwendet.',
  'The passkey is not accepted. Begin the sign-in again.':
    'Der Passkey wird nicht akzeptiert. Beginnen Sie die Anmeldung noch einmal.',
  'This organisation signs in at its identity provider.':
    'Diese Organisation meldet sich bei ihrem Identitätsanbieter an.',
  'This organisation requires a second factor. Add another one first.':
    'Diese Organisation verlangt einen zweiten Faktor. Fügen Sie zuerst einen anderen hinzu.',
  'Too many failed sign-ins. Try again later.':
    'Zu viele fehlgeschlagene Anmeldungen. Versuchen Sie es später noch einmal.',
  'Too many wrong codes. Try again later.': 'Zu viele falsche Codes. Versuchen Sie es später noch einmal.',
  'Many mails went to this address lately.': 'An diese Adresse gingen zuletzt viele E-Mails.',
  'Signing up is turned off here.': 'Die Registrierung ist hier ausgeschaltet.',
  'The role is in use by {} users and cannot be deleted.':
    'Die Rolle kann nicht gelöscht werden: {} Benutzer haben sie.',
  'A built-in role cannot be changed.': 'Eine eingebaute Rolle kann nicht geändert werden.',
  'A role of the application cannot be changed.': 'Eine Rolle der Anwendung kann nicht geändert werden.',
  'A user has at most {} views. Delete one first.':
    'Ein Benutzer hat höchstens {} Ansichten. Löschen Sie zuerst eine.',
  'A user has at most {} passkeys. Remove one first.':
    'Ein Benutzer hat höchstens {} Passkeys. Entfernen Sie zuerst einen.',
  'A tenant may have {} API keys.': 'Ein Mandant darf {} API-Schlüssel haben.',
  'A tenant may have {} invitations.': 'Ein Mandant darf {} Einladungen haben.',
  'A tenant may have {} roles.': 'Ein Mandant darf {} Rollen haben.',
  'A tenant may have {} domains.': 'Ein Mandant darf {} Domains haben.',
  'A tenant has {} subscriptions at most.': 'Ein Mandant hat höchstens {} Abonnements.',
  'A tenant has {} providers at most.': 'Ein Mandant hat höchstens {} Anbieter.',
  'A tenant has {} rules at most.': 'Ein Mandant hat höchstens {} Regeln.',
  'No mail server is configured, so that nobody can be invited.':
    'Es ist kein Mailserver eingerichtet: Niemand kann eingeladen werden.',
  'There is no TXT record {} with the text {}.': 'Es gibt keinen TXT-Eintrag {} mit dem Text {}.',
  'The logo must be a PNG, WebP or SVG picture.': 'Das Logo muss ein Bild in PNG, WebP oder SVG sein.',
  'The tenant is active. Deactivate it first.': 'Der Mandant ist aktiv. Deaktivieren Sie ihn zuerst.',
  'The tenant is being erased.': 'Der Mandant wird gerade gelöscht.',
  'The tenant is being moved to another database.': 'Der Mandant zieht gerade in eine andere Datenbank um.',
  'The order is {}: only a PENDING one can be changed.':
    'Die Bestellung ist {}: Nur eine mit PENDING kann geändert werden.',
  'The order is {} and cannot become {}.': 'Die Bestellung ist {} und kann nicht {} werden.',
  'The {label} cannot be {label} in its state.': 'In diesem Zustand ist das nicht möglich.',
  'Restoring a deleted row takes the right to create one.':
    'Wer eine gelöschte Zeile wiederherstellt, braucht das Recht, eine anzulegen.',
}
