import { z } from 'zod';

/** The category values of a card (§2 "Category values"). */
export const categorySchema = z.enum([
	'advertising',
	'saas_software',
	'shipping',
	'cloud_computing',
	'professional_services',
	'airlines',
	'books_and_newspapers',
	'car_rental',
	'car_services',
	'charitable_donations',
	'clothing',
	'clubs_and_memberships',
	'education',
	'electronics',
	'fees_and_financial_institutions',
	'freight_moving_and_delivery_services',
	'fuel_and_gas',
	'general_merchandise',
	'general_expenses',
	'government_services',
	'insurance',
	'internet_and_phone',
	'legal',
	'lodging',
	'medical',
	'office_supplies_and_cleaning',
	'other',
	'parking',
	'pet',
	'restaurants',
	'supermarkets_and_grocery_stores',
	'taxes_and_tax_preparation',
	'taxi_and_rideshare',
	'travel_misc',
	'utilities',
	'entertainment',
]);

/** One category value (§2). */
export type Category = z.infer<typeof categorySchema>;
