/** Messages under fields, exactly as documented. */
export const validation = {
  email: 'Please enter a valid email address',
  passwordRequired: 'Password is required',
  passwordSignIn: 'Password must be at least 6 characters',
  passwordSignUp: 'Password must be at least 8 characters',
  passwordMatch: "Passwords don't match",
  terms: 'You must agree to the terms and conditions',
  fullName: 'Full name must be at least 2 characters',
  country: 'Please select a country',
  city: 'City must be at least 2 characters',
  phone: 'Please enter a valid phone number',
  companyName: 'Company name must be at least 2 characters',
  requiredFields: 'Please fill in all required fields',
  imageUrl: 'Please enter a valid image URL',
  price: 'Please enter a price in US dollars',
} as const;
