/** The account pages in French. */

import { errorsIn, faultsIn } from '../../core/language/fault-sentence.ts'
import { frenchFaults, frenchTypes } from '../../core/language/faults-fr.ts'
import { frenchErrors } from '../../core/language/fr.ts'
import { pluralsOf } from '../../core/language/plural.ts'
import { frenchRefusals } from '../../core/language/refusals-fr.ts'
import { weakPassword } from '../password/schema.ts'
import { signUpFrench } from './sign-up-text.ts'
import type { AccountText } from './text-en.ts'

const weakPasswordText = 'doit contenir une majuscule, une minuscule, un chiffre et un autre caractère'
const plural = pluralsOf('fr')
const faultText = faultsIn(frenchFaults, frenchTypes, plural)

export const french: AccountText = {
  ...signUpFrench,
  forgotPassword: {
    title: 'Mot de passe oublié',
    introduction: 'Nous envoyons à votre adresse un lien qui permet de choisir un nouveau mot de passe.',
    button: 'Envoyer le lien',
    done: 'Si cet utilisateur existe, un courriel est en route. Son lien fonctionne une fois, pendant une heure.',
  },
  resetPassword: {
    title: 'Choisir un nouveau mot de passe',
    button: 'Enregistrer le mot de passe',
    done: 'Le mot de passe est enregistré. Connectez-vous avec lui.',
  },
  acceptInvitation: {
    title: (brand) => `Bienvenue chez ${brand}`,
    introduction: (invitedBy, email) => `${invitedBy} a invité ${email}.`,
    button: 'Accepter l’invitation',
    done: (userName) => `Votre compte est créé. Connectez-vous comme ${userName}.`,
  },
  signIn: {
    title: 'Connexion',
    button: 'Se connecter',
    forgotten: 'Mot de passe oublié',
    atProvider: 'Se connecter avec votre organisation',
    again: 'Recommencer',
  },
  secondFactor: {
    title: 'Second facteur',
    button: 'Se connecter',
    notHere:
      'Votre organisation exige un second facteur que cette page ne peut pas demander. Connectez-vous dans l’application.',
  },
  passkey: {
    button: 'Se connecter avec une clé d’accès',
    failed: 'La clé d’accès n’a pas été utilisée. Réessayez, ou connectez-vous autrement.',
  },
  addFactor: {
    title: 'Ajouter un second facteur',
    introduction:
      'Votre organisation exige un second facteur. Scannez ce code avec une application d’authentification, ou saisissez-y le secret. Saisissez ensuite le code qu’elle affiche.',
    qrCode: 'Code QR pour l’application d’authentification',
    link: 'Ouvrir l’application d’authentification de cet appareil',
    button: 'Ajouter l’application',
  },
  recoveryCodes: {
    title: 'Codes de secours',
    introduction:
      'Gardez ces codes en lieu sûr. Chacun vous connecte une fois si vous avez perdu l’application. Ils ne seront plus affichés.',
    button: 'Continuer',
  },
  labels: {
    password: 'Mot de passe',
    code: 'Code de l’application d’authentification, ou code de secours',
    appCode: 'Code de l’application d’authentification',
    userName: 'Nom d’utilisateur',
    userNameOrEmail: 'Nom d’utilisateur ou adresse électronique',
    newPassword: 'Nouveau mot de passe',
    firstName: 'Prénom',
    lastName: 'Nom',
  },
  hints: {
    userName: '3 à 50 lettres, chiffres et . _ - @',
    password: 'Au moins 8 caractères : une majuscule, une minuscule, un chiffre et un autre caractère',
  },
  linkNotValid: 'Ce lien n’est pas valable. Il a servi, il a expiré, ou il est incomplet.',
  checkForm: 'Corrigez les champs marqués.',
  error: errorsIn(frenchRefusals, frenchErrors, plural),
  reason: ({ reason, kind }) =>
    reason === weakPassword
      ? weakPasswordText
      : faultText(reason, kind?.code, kind !== undefined && 'parameters' in kind ? kind.parameters : {}),
}
