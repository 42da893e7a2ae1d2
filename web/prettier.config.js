/** @type {import('prettier').Config} */
export default {
  singleQuote: true,
  printWidth: 110,
  plugins: ['prettier-plugin-tailwindcss'],
  tailwindStylesheet: './src/styles/app.css',
  tailwindFunctions: ['cn', 'cva'],
};
