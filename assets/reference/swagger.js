import { loadDocument } from './document.js'

window.SwaggerUIBundle({
  spec: await loadDocument('swagger/v1/swagger.json'),
  dom_id: '#reference',
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  // Otherwise it asks a service of swagger.io to judge the document.
  validatorUrl: null,
})
