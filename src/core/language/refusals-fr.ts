import type { RefusalTranslations } from './refusal-texts.ts'

export const frenchRefusals: RefusalTranslations = {
  'There is no such {label}.': 'C’est introuvable, ou ce n’est plus là.',
  'There is nothing at this address.': 'Il n’y a rien à cette adresse.',
  'This requires the permission {}.': 'Cela demande l’autorisation {}.',
  'This requires a signed-in user, and an API key is none.':
    'Cela demande un utilisateur connecté ; une clé d’API ne suffit pas.',
  'This is not possible while you act as another user.':
    'C’est impossible tant que vous agissez comme un autre utilisateur.',
  'Your rights do not reach this {label} for that.': 'Vos droits n’atteignent pas cette ligne pour cela.',
  'Your rights reach no {label} for that.': 'Vos droits n’atteignent aucune ligne pour cela.',
  'You cannot grant what you do not have: {}.': 'Vous ne pouvez pas accorder ce que vous n’avez pas : {}.',
  'Nobody changes their own attributes.': 'Personne ne change ses propres attributs.',
  'Nobody may act as an administrator of the host tenant.':
    'Personne ne peut agir comme un administrateur du locataire hôte.',
  'Only an administrator of the host tenant may act as another user.':
    'Seul un administrateur du locataire hôte peut agir comme un autre utilisateur.',
  'The tenant does not allow this (allowImpersonation).':
    'Le locataire ne le permet pas (allowImpersonation).',
  'The host tenant has to keep an active administrator.':
    'Le locataire hôte doit garder un administrateur actif.',
  'The sign-in has expired. Begin it again.': 'La connexion a expiré. Recommencez-la.',
  'The code is wrong, or it was used.': 'Le code est faux, ou déjà utilisé.',
  'The passkey is not accepted. Begin the sign-in again.':
    'La clé d’accès n’est pas acceptée. Recommencez la connexion.',
  'This organisation signs in at its identity provider.':
    'Cette organisation se connecte chez son fournisseur d’identité.',
  'This organisation requires a second factor. Add another one first.':
    'Cette organisation exige un second facteur. Ajoutez-en d’abord un autre.',
  'Too many failed sign-ins. Try again later.': 'Trop de connexions échouées. Réessayez plus tard.',
  'Too many wrong codes. Try again later.': 'Trop de codes faux. Réessayez plus tard.',
  'Many mails went to this address lately.': 'Cette adresse a reçu beaucoup de courriels récemment.',
  'Signing up is turned off here.': 'L’inscription est désactivée ici.',
  'The role is in use by {} users and cannot be deleted.':
    'Le rôle ne peut pas être supprimé : {} utilisateurs l’ont.',
  'A built-in role cannot be changed.': 'Un rôle intégré ne peut pas être modifié.',
  'A role of the application cannot be changed.': 'Un rôle de l’application ne peut pas être modifié.',
  'A user has at most {} views. Delete one first.':
    'Un utilisateur a au plus {} vues. Supprimez-en d’abord une.',
  'A user has at most {} passkeys. Remove one first.':
    'Un utilisateur a au plus {} clés d’accès. Retirez-en d’abord une.',
  'A tenant may have {} API keys.': 'Un locataire peut avoir {} clés d’API.',
  'A tenant may have {} invitations.': 'Un locataire peut avoir {} invitations.',
  'A tenant may have {} roles.': 'Un locataire peut avoir {} rôles.',
  'A tenant may have {} domains.': 'Un locataire peut avoir {} domaines.',
  'A tenant has {} subscriptions at most.': 'Un locataire a au plus {} abonnements.',
  'A tenant has {} providers at most.': 'Un locataire a au plus {} fournisseurs.',
  'A tenant has {} rules at most.': 'Un locataire a au plus {} règles.',
  'No mail server is configured, so that nobody can be invited.':
    'Aucun serveur de courriel n’est configuré : personne ne peut être invité.',
  'There is no TXT record {} with the text {}.': 'Il n’y a pas d’enregistrement TXT {} avec le texte {}.',
  'The logo must be a PNG, WebP or SVG picture.': 'Le logo doit être une image PNG, WebP ou SVG.',
  'The tenant is active. Deactivate it first.': 'Le locataire est actif. Désactivez-le d’abord.',
  'The tenant is being erased.': 'Le locataire est en cours d’effacement.',
  'The tenant is being moved to another database.':
    'Le locataire est en cours de déplacement vers une autre base de données.',
  'The order is {}: only a PENDING one can be changed.':
    'La commande est {} : seule une commande PENDING peut être modifiée.',
  'The order is {} and cannot become {}.': 'La commande est {} et ne peut pas devenir {}.',
  'The {label} cannot be {label} in its state.': 'Dans cet état, c’est impossible.',
  'Restoring a deleted row takes the right to create one.':
    'Restaurer une ligne supprimée demande le droit d’en créer une.',
}
