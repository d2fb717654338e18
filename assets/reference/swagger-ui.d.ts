interface Window {
  /** The global of swagger-ui-bundle.js. */
  SwaggerUIBundle(options: object): {
    preauthorizeApiKey(scheme: string, value: string): void
    authActions: { logout(schemes: string[]): void }
  }
}
