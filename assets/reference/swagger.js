/** The page that shows the API document in Swagger UI, with a form to sign in. */
import { loadDocument } from './document.js'
import { byId } from './dom.js'
import { signInForm } from './sign-in.js'

/** The security scheme of the document that takes the access token. */
const scheme = 'bearer'

const page = window.SwaggerUIBundle({
  spec: await loadDocument('swagger/v1/swagger.json'),
  dom_id: '#reference',
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  // The default would send the document to a service of swagger.io for validation.
  validatorUrl: null,
  onComplete: () => byId('sign-in', HTMLElement).replaceChildren(signInForm('', authorize)),
})

/** @param {string | null} accessToken */
function authorize(accessToken) {
  if (accessToken === null) page.authActions.logout([scheme])
  else page.preauthorizeApiKey(scheme, accessToken)
}
