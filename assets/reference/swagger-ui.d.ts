interface Window {
  /** The global of swagger-ui-bundle.js. */
  SwaggerUIBundle(options: object): void
}
