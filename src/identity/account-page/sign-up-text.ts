/** The texts of the pages for sign-up and for verifying an address, in English, German and French. */

export interface SignUpText {
  signUp: {
    title: string
    introduction: string
    button: string
    done: string
    labels: { tenantName: string; subdomain: string; email: string }
    subdomainHint: string
  }
  verifySignUp: {
    title: string
    introduction: string
    button: string
    done(userName: string, tenantId: string): string
    waiting: string
  }
  verifyEmail: {
    title: string
    introduction(email: string, userName: string): string
    button: string
    done(email: string): string
  }
}

export const signUpEnglish: SignUpText = {
  signUp: {
    title: 'Sign up',
    introduction: 'We send a link to your address, with which you complete the sign-up.',
    button: 'Sign up',
    done: 'A mail is on its way to your address. The link in it works once, for one day.',
    labels: { tenantName: 'Organisation', subdomain: 'Subdomain', email: 'Email address' },
    subdomainHint: 'Letters, digits and hyphens; may stay empty',
  },
  verifySignUp: {
    title: 'Complete the sign-up',
    introduction: 'Type the password that you chose. Without it the link is of no use to anybody.',
    button: 'Complete the sign-up',
    done: (userName, tenantId) => `Your organisation is ready. Sign in to ${tenantId} as ${userName}.`,
    waiting: 'Your address is verified. We look at your sign-up and send you a mail.',
  },
  verifyEmail: {
    title: 'Verify an address',
    introduction: (email, userName) => `${email} becomes the verified address of ${userName}.`,
    button: 'Verify the address',
    done: (email) => `The address ${email} is verified.`,
  },
}

export const signUpGerman: SignUpText = {
  signUp: {
    title: 'Registrieren',
    introduction: 'Wir senden einen Link an Ihre Adresse, mit dem Sie die Registrierung abschließen.',
    button: 'Registrieren',
    done: 'Eine E-Mail an Ihre Adresse ist unterwegs. Der Link darin gilt einmal, einen Tag lang.',
    labels: { tenantName: 'Organisation', subdomain: 'Subdomain', email: 'E-Mail-Adresse' },
    subdomainHint: 'Buchstaben, Ziffern und Bindestriche; darf leer bleiben',
  },
  verifySignUp: {
    title: 'Registrierung abschließen',
    introduction: 'Geben Sie das Passwort ein, das Sie gewählt haben. Ohne es nützt der Link niemandem.',
    button: 'Registrierung abschließen',
    done: (userName, tenantId) =>
      `Ihre Organisation ist bereit. Melden Sie sich bei ${tenantId} als ${userName} an.`,
    waiting: 'Ihre Adresse ist bestätigt. Wir prüfen Ihre Registrierung und senden Ihnen eine E-Mail.',
  },
  verifyEmail: {
    title: 'Adresse bestätigen',
    introduction: (email, userName) => `${email} wird die bestätigte Adresse von ${userName}.`,
    button: 'Adresse bestätigen',
    done: (email) => `Die Adresse ${email} ist bestätigt.`,
  },
}

export const signUpFrench: SignUpText = {
  signUp: {
    title: 'Inscription',
    introduction: 'Nous envoyons à votre adresse un lien qui permet de terminer l’inscription.',
    button: 'S’inscrire',
    done: 'Un courriel est en route vers votre adresse. Son lien fonctionne une fois, pendant un jour.',
    labels: { tenantName: 'Organisation', subdomain: 'Sous-domaine', email: 'Adresse électronique' },
    subdomainHint: 'Lettres, chiffres et traits d’union ; peut rester vide',
  },
  verifySignUp: {
    title: 'Terminer l’inscription',
    introduction: 'Saisissez le mot de passe que vous avez choisi. Sans lui, le lien ne sert à personne.',
    button: 'Terminer l’inscription',
    done: (userName, tenantId) =>
      `Votre organisation est prête. Connectez-vous à ${tenantId} comme ${userName}.`,
    waiting: 'Votre adresse est vérifiée. Nous examinons votre inscription et vous envoyons un courriel.',
  },
  verifyEmail: {
    title: 'Vérifier une adresse',
    introduction: (email, userName) => `${email} devient l’adresse vérifiée de ${userName}.`,
    button: 'Vérifier l’adresse',
    done: (email) => `L’adresse ${email} est vérifiée.`,
  },
}
