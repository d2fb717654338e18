import type { TextsByName } from './language.ts'

/** The actions that the audit records, in French by the name of the action. */
export const frenchAudited: TextsByName = {
  'apiKey.created': 'Une clé d’API a été créée',
  'apiKey.refused':
    'Une clé d’API a été utilisée depuis une adresse qu’elle n’autorise pas ; au plus une fois par minute',
  'apiKey.revoked': 'Une clé d’API a été révoquée',
  'deadJobs.retried':
    'L’opérateur du service a relancé les tâches d’un nom qui avaient échoué définitivement',
  'deadJobs.retryRequested':
    'La relance des tâches d’un locataire, ou de tous, qui avaient échoué définitivement a été demandée',
  'deadLetters.replayRequested':
    'Le renvoi des livraisons d’un locataire, ou de tous, qui avaient échoué définitivement a été demandé',
  'deadLetters.replayed':
    'L’opérateur du service a renvoyé des livraisons d’un abonnement qui avaient échoué définitivement',
  'deadMails.retried': 'L’opérateur du service a renvoyé des e-mails d’un modèle qui n’étaient pas partis',
  'deadMails.retryRequested':
    'Le renvoi des e-mails d’un locataire, ou de tous, qui n’étaient pas partis a été demandé',
  'factor.added': 'Un utilisateur a ajouté un second facteur',
  'factor.refused': 'Un utilisateur a saisi un code incorrect d’un second facteur',
  'factor.removed': 'Un utilisateur a retiré un second facteur',
  'factor.reset': 'Un administrateur a retiré les seconds facteurs d’un utilisateur',
  'file.created': 'Un fichier a été envoyé',
  'file.deleted': 'Un fichier a été supprimé, par un appelant ou parce qu’aucune ligne ne le mentionnait',
  'invitation.accepted': 'Une invitation a été acceptée',
  'invitation.created': 'Quelqu’un a été invité',
  'invitation.refused':
    'Une invitation a été refusée au moment de son acceptation, à cause de ses rôles ou de la personne qui avait invité',
  'invitation.withdrawn': 'Une invitation a été retirée',
  'job.retried': 'Un administrateur a relancé une tâche qui avait échoué',
  'key.reencrypted': 'Les secrets stockés ont été rechiffrés avec la clé maîtresse actuelle',
  'key.rotated':
    'Une nouvelle clé de signature des jetons a été publiée ; le détail dit à partir de quand elle signe',
  'mail.retried':
    'Un administrateur a renvoyé un e-mail qui n’était pas parti, ou tous ceux d’une même cause, dont le détail donne le nombre',
  'operation.requested':
    'Une sauvegarde, ou l’export, le déplacement ou l’effacement d’un locataire, a été demandé',
  'passkey.added': 'Un utilisateur a ajouté une clé d’accès',
  'passkey.removed': 'Un utilisateur a retiré une clé d’accès',
  'passkey.renamed': 'Un utilisateur a renommé une clé d’accès',
  'portalSession.created': 'Les pages de webhooks ont été ouvertes pour un client',
  'portalSession.ended': 'Une session des pages intégrées de webhooks a pris fin avant le terme prévu',
  'recoveryCode.renewed': 'Un utilisateur a créé de nouveaux codes de secours',
  'recoveryCode.used': 'Un utilisateur a utilisé un code de secours',
  'role.created': 'Un rôle a été créé',
  'role.deleted': 'Un rôle a été supprimé',
  'role.updated': 'Un rôle a été modifié',
  'session.ended': 'Un utilisateur ou un administrateur a mis fin à une session',
  'session.refused': 'Une connexion a été refusée',
  'session.reuseDetected':
    'Un jeton d’actualisation déjà remplacé a été réutilisé, ce qui a mis fin à sa session',
  'session.started': 'Un utilisateur s’est connecté',
  'session.stepUpRefused':
    'Un utilisateur a tenté de prouver de nouveau son identité avec un mot de passe incorrect',
  'session.steppedUp': 'Un utilisateur a prouvé de nouveau son identité',
  'signUp.approved': 'Un administrateur a approuvé une inscription, ce qui a créé son locataire',
  'signUp.completed': 'Une inscription a créé son locataire',
  'signUp.refused': 'Quelqu’un a utilisé le lien d’une inscription avec un mot de passe incorrect',
  'signUp.rejected': 'Un administrateur a refusé une inscription',
  'signUp.requested': 'Quelqu’un a inscrit un locataire',
  'signUp.verified': 'L’adresse d’une inscription a été vérifiée',
  'sso.clientKeyActivated': 'Le service signe avec une autre clé auprès du fournisseur d’identité',
  'sso.clientKeyCreated':
    'Une clé a été créée, avec laquelle le service s’authentifie auprès du fournisseur d’identité',
  'sso.configured': 'Le fournisseur d’identité d’un locataire a été configuré ou modifié',
  'sso.credentialsRemoved':
    'Le mot de passe, les facteurs et les sessions d’un utilisateur ont été retirés, car quelqu’un d’autre a pu les créer avant que le fournisseur ne nomme l’utilisateur',
  'sso.domainAdded': 'Un domaine a été ajouté, et reste à vérifier',
  'sso.domainRemoved': 'Un domaine a été retiré',
  'sso.domainVerified': 'Un domaine a été vérifié',
  'sso.linked': 'Un utilisateur du fournisseur d’identité a été associé à un utilisateur',
  'sso.refused': 'Une connexion chez le fournisseur d’identité a été refusée',
  'sso.removed': 'Le fournisseur d’identité d’un locataire a été retiré',
  'sso.rolesKept':
    'Les rôles d’un utilisateur sont restés inchangés à une connexion, car le fournisseur ne disait rien de ses groupes, ou n’aurait laissé aucun administrateur',
  'sso.signOutRefused': 'Une déconnexion par le fournisseur d’identité a été refusée',
  'sso.signedOut': 'Le fournisseur d’identité a déconnecté un utilisateur',
  'subscription.created': 'Un abonnement aux webhooks a été créé',
  'subscription.deleted': 'Un abonnement aux webhooks a été supprimé',
  'subscription.secretRotated': 'Un abonnement aux webhooks a reçu un nouveau secret',
  'subscription.updated': 'Un abonnement aux webhooks a été modifié',
  'tenant.configured': 'Des paramètres d’un locataire ont été modifiés',
  'tenant.created': 'Un locataire a été créé',
  'tenant.deactivated': 'Un locataire a été désactivé',
  'tenant.erased': 'Un locataire a été effacé avec tout ce qu’il contenait',
  'tenant.imported': 'Un locataire a été importé depuis une archive',
  'tenant.moved': 'Un locataire a été déplacé vers une autre base de données',
  'tenant.updated': 'Un locataire a été modifié, ou réactivé',
  'token.refused':
    'Quelqu’un a saisi un jeton d’e-mail ou un code de connexion qui n’est pas valable ; au plus une fois par minute pour chaque usage',
  'user.created': 'Un utilisateur a été créé',
  'user.deleted': 'Un utilisateur a été supprimé',
  'user.emailChanged': 'Un utilisateur a changé son adresse par un e-mail envoyé à la nouvelle adresse',
  'user.emailRequested': 'Un utilisateur a demandé un e-mail qui vérifie ou change son adresse',
  'user.emailVerified': 'Un utilisateur a vérifié son adresse par un e-mail',
  'user.impersonated': 'Un administrateur du locataire hôte a commencé à agir au nom d’un utilisateur',
  'user.impersonationEnded':
    'L’accès d’un administrateur au nom d’un utilisateur a pris fin avant le terme prévu',
  'user.passwordChanged': 'Un utilisateur a changé son propre mot de passe',
  'user.passwordForgotten': 'Quelqu’un a demandé un nouveau mot de passe pour un utilisateur',
  'user.passwordRefused':
    'Un utilisateur a tenté de changer son propre mot de passe avec un mot de passe actuel incorrect',
  'user.passwordReset': 'Un utilisateur a choisi un nouveau mot de passe par un e-mail',
  'user.passwordResetStarted':
    'Un administrateur a envoyé à un utilisateur un e-mail pour choisir un nouveau mot de passe',
  'user.updated': 'Un administrateur a modifié un utilisateur',
  'view.shared': 'Une vue a été partagée, ou une vue partagée a été modifiée',
  'view.withdrawn': 'Une vue partagée a été supprimée, ou n’est plus partagée',
  'webhookProvider.deleted': 'Un fournisseur de webhooks entrants a été supprimé',
  'webhookProvider.set': 'Un fournisseur de webhooks entrants a été configuré ou modifié',
  'webhookRule.created': 'Une règle pour les webhooks entrants a été créée',
  'webhookRule.deleted': 'Une règle pour les webhooks entrants a été supprimée',
  'webhookRule.updated': 'Une règle pour les webhooks entrants a été modifiée',
}
