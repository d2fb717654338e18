/** People and how they sign in: the pages of one file that the browser loads when the first of them is shown. */
import { AccountPage } from './account/account.tsx'
import { ApiKeysPage } from './people/api-keys.tsx'
import { InvitationsPage } from './people/invitations.tsx'
import { RolesPage } from './people/roles.tsx'
import { UsersPage } from './people/users.tsx'
import { SignUpsPage } from './sign-up/sign-ups.tsx'
import { SingleSignOnPage } from './sso/single-sign-on.tsx'

export const accessPages = {
  AccountPage,
  ApiKeysPage,
  InvitationsPage,
  RolesPage,
  SignUpsPage,
  SingleSignOnPage,
  UsersPage,
}
