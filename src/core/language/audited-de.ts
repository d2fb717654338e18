import type { TextsByName } from './language.ts'

/** The actions that the audit records, in German by the name of the action. */
export const germanAudited: TextsByName = {
  'apiKey.created': 'Ein API-Schlüssel wurde angelegt',
  'apiKey.refused':
    'Ein API-Schlüssel wurde von einer Adresse verwendet, die er nicht erlaubt; höchstens einmal pro Minute',
  'apiKey.revoked': 'Ein API-Schlüssel wurde widerrufen',
  'deadJobs.retried':
    'Der Betreiber des Dienstes hat endgültig fehlgeschlagene Aufgaben eines Namens wiederholt',
  'deadJobs.retryRequested':
    'Die Wiederholung endgültig fehlgeschlagener Aufgaben eines Mandanten oder aller Mandanten wurde veranlasst',
  'deadLetters.replayRequested':
    'Die Wiederholung endgültig fehlgeschlagener Zustellungen eines Mandanten oder aller Mandanten wurde veranlasst',
  'deadLetters.replayed':
    'Der Betreiber des Dienstes hat endgültig fehlgeschlagene Zustellungen eines Abonnements wiederholt',
  'deadMails.retried': 'Der Betreiber des Dienstes hat nicht gesendete E-Mails einer Vorlage erneut gesendet',
  'deadMails.retryRequested':
    'Das erneute Senden nicht gesendeter E-Mails eines Mandanten oder aller Mandanten wurde veranlasst',
  'factor.added': 'Ein Benutzer hat einen zweiten Faktor hinzugefügt',
  'factor.refused': 'Ein Benutzer hat einen falschen Code eines zweiten Faktors eingegeben',
  'factor.removed': 'Ein Benutzer hat einen zweiten Faktor entfernt',
  'factor.reset': 'Ein Administrator hat die zweiten Faktoren eines Benutzers entfernt',
  'file.created': 'Eine Datei wurde hochgeladen',
  'file.deleted': 'Eine Datei wurde gelöscht, von einem Aufrufer oder weil keine Zeile auf sie verwies',
  'invitation.accepted': 'Eine Einladung wurde angenommen',
  'invitation.created': 'Jemand wurde eingeladen',
  'invitation.refused':
    'Eine Einladung wurde bei der Annahme abgelehnt, wegen ihrer Rollen oder wegen des Einladenden',
  'invitation.withdrawn': 'Eine Einladung wurde zurückgezogen',
  'job.retried': 'Ein Administrator hat eine fehlgeschlagene Aufgabe wiederholt',
  'key.reencrypted': 'Gespeicherte Geheimnisse wurden mit dem aktuellen Hauptschlüssel neu verschlüsselt',
  'key.rotated':
    'Ein neuer Schlüssel zum Signieren von Token wurde veröffentlicht; das Detail sagt, ab wann er signiert',
  'mail.retried':
    'Ein Administrator hat eine nicht gesendete E-Mail erneut gesendet, oder alle mit derselben Ursache, deren Anzahl das Detail nennt',
  'operation.requested':
    'Eine Sicherung oder der Export, der Umzug oder die Löschung eines Mandanten wurde veranlasst',
  'passkey.added': 'Ein Benutzer hat einen Passkey hinzugefügt',
  'passkey.removed': 'Ein Benutzer hat einen Passkey entfernt',
  'passkey.renamed': 'Ein Benutzer hat einen Passkey umbenannt',
  'portalSession.created': 'Die Webhook-Seiten wurden für einen Kunden geöffnet',
  'portalSession.ended': 'Eine Sitzung der eingebetteten Webhook-Seiten wurde vorzeitig beendet',
  'recoveryCode.renewed': 'Ein Benutzer hat neue Wiederherstellungscodes erzeugt',
  'recoveryCode.used': 'Ein Benutzer hat einen Wiederherstellungscode verwendet',
  'role.created': 'Eine Rolle wurde angelegt',
  'role.deleted': 'Eine Rolle wurde gelöscht',
  'role.updated': 'Eine Rolle wurde geändert',
  'session.ended': 'Ein Benutzer oder ein Administrator hat eine Sitzung beendet',
  'session.refused': 'Eine Anmeldung wurde abgelehnt',
  'session.reuseDetected':
    'Ein ersetztes Aktualisierungstoken wurde noch einmal verwendet und seine Sitzung deshalb beendet',
  'session.started': 'Ein Benutzer hat sich angemeldet',
  'session.stepUpRefused':
    'Ein Benutzer hat versucht, seine Identität mit einem falschen Passwort zu bestätigen',
  'session.steppedUp': 'Ein Benutzer hat seine Identität erneut bestätigt',
  'signUp.approved': 'Ein Administrator hat eine Registrierung angenommen und damit ihren Mandanten angelegt',
  'signUp.completed': 'Aus einer Registrierung ist ihr Mandant entstanden',
  'signUp.refused': 'Jemand hat den Link einer Registrierung mit einem falschen Passwort verwendet',
  'signUp.rejected': 'Ein Administrator hat eine Registrierung abgelehnt',
  'signUp.requested': 'Jemand hat einen Mandanten registriert',
  'signUp.verified': 'Die Adresse einer Registrierung wurde bestätigt',
  'sso.clientKeyActivated': 'Der Dienst signiert beim Identitätsanbieter mit einem anderen Schlüssel',
  'sso.clientKeyCreated':
    'Ein Schlüssel wurde erzeugt, mit dem sich der Dienst beim Identitätsanbieter ausweist',
  'sso.configured': 'Der Identitätsanbieter eines Mandanten wurde eingerichtet oder geändert',
  'sso.credentialsRemoved':
    'Passwort, Faktoren und Sitzungen eines Benutzers wurden entfernt, weil jemand anderes sie angelegt haben könnte, bevor der Anbieter den Benutzer nannte',
  'sso.domainAdded': 'Eine Domain wurde hinzugefügt und ist noch zu bestätigen',
  'sso.domainRemoved': 'Eine Domain wurde entfernt',
  'sso.domainVerified': 'Eine Domain wurde bestätigt',
  'sso.linked': 'Ein Benutzer des Identitätsanbieters wurde mit einem Benutzer verknüpft',
  'sso.refused': 'Eine Anmeldung beim Identitätsanbieter wurde abgelehnt',
  'sso.removed': 'Der Identitätsanbieter eines Mandanten wurde entfernt',
  'sso.rolesKept':
    'Die Rollen eines Benutzers blieben bei einer Anmeldung unverändert, weil der Anbieter seine Gruppen nicht nannte oder sonst kein Administrator geblieben wäre',
  'sso.signOutRefused': 'Eine Abmeldung durch den Identitätsanbieter wurde abgelehnt',
  'sso.signedOut': 'Der Identitätsanbieter hat einen Benutzer abgemeldet',
  'subscription.created': 'Ein Webhook-Abonnement wurde angelegt',
  'subscription.deleted': 'Ein Webhook-Abonnement wurde gelöscht',
  'subscription.secretRotated': 'Ein Webhook-Abonnement hat ein neues Geheimnis erhalten',
  'subscription.updated': 'Ein Webhook-Abonnement wurde geändert',
  'tenant.configured': 'Einstellungen eines Mandanten wurden geändert',
  'tenant.created': 'Ein Mandant wurde angelegt',
  'tenant.deactivated': 'Ein Mandant wurde deaktiviert',
  'tenant.erased': 'Ein Mandant wurde mit allem, was er hatte, gelöscht',
  'tenant.imported': 'Ein Mandant wurde aus einem Archiv importiert',
  'tenant.moved': 'Ein Mandant ist in eine andere Datenbank umgezogen',
  'tenant.updated': 'Ein Mandant wurde geändert oder wieder aktiviert',
  'token.refused':
    'Jemand hat ein ungültiges Token einer E-Mail oder einen ungültigen Code einer Anmeldung eingegeben; höchstens einmal pro Minute und Zweck',
  'user.created': 'Ein Benutzer wurde angelegt',
  'user.deleted': 'Ein Benutzer wurde gelöscht',
  'user.emailChanged': 'Ein Benutzer hat seine Adresse durch eine E-Mail an die neue Adresse geändert',
  'user.emailRequested':
    'Ein Benutzer hat eine E-Mail angefordert, mit der er seine Adresse bestätigt oder ändert',
  'user.emailVerified': 'Ein Benutzer hat seine Adresse durch eine E-Mail bestätigt',
  'user.impersonated': 'Ein Administrator des Betreibers handelt nun als ein Benutzer',
  'user.impersonationEnded': 'Das Handeln als Benutzer wurde vorzeitig beendet',
  'user.passwordChanged': 'Ein Benutzer hat sein eigenes Passwort geändert',
  'user.passwordForgotten': 'Jemand hat ein neues Passwort für einen Benutzer angefordert',
  'user.passwordRefused':
    'Ein Benutzer hat versucht, sein eigenes Passwort mit einem falschen aktuellen Passwort zu ändern',
  'user.passwordReset': 'Ein Benutzer hat durch eine E-Mail ein neues Passwort gesetzt',
  'user.passwordResetStarted':
    'Ein Administrator hat einem Benutzer eine E-Mail gesendet, mit der er ein neues Passwort setzt',
  'user.updated': 'Ein Administrator hat einen Benutzer geändert',
  'view.shared': 'Eine Ansicht wurde geteilt, oder eine geteilte Ansicht wurde geändert',
  'view.withdrawn': 'Eine geteilte Ansicht wurde gelöscht oder wird nicht mehr geteilt',
  'webhookProvider.deleted': 'Ein Anbieter eingehender Webhooks wurde gelöscht',
  'webhookProvider.set': 'Ein Anbieter eingehender Webhooks wurde eingerichtet oder geändert',
  'webhookRule.created': 'Eine Regel für eingehende Webhooks wurde angelegt',
  'webhookRule.deleted': 'Eine Regel für eingehende Webhooks wurde gelöscht',
  'webhookRule.updated': 'Eine Regel für eingehende Webhooks wurde geändert',
}
