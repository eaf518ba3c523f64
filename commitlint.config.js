export default {
  extends: ['@commitlint/config-conventional'],
  rules: { 'header-max-length': [2, 'always', 110], 'body-max-line-length': [0] },
}
